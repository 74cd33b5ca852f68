// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace attache::conformance {

using Json = nlohmann::ordered_json;

/// A JSON value in a header that does not know the type. Immutable once set; copies share it.
class JsonBox {
 public:
  JsonBox();  ///< null
  explicit JsonBox(Json value);
  const Json& get() const noexcept { return *value_; }
  void set(Json value);

 private:
  std::shared_ptr<const Json> value_;
};

}  // namespace attache::conformance
