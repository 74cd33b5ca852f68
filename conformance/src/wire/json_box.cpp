// SPDX-License-Identifier: Apache-2.0
#include "wire/json_box.hpp"

#include <nlohmann/json.hpp>

namespace attache::conformance {

JsonBox::JsonBox() : value_(std::make_shared<const Json>()) {}
JsonBox::JsonBox(Json value) : value_(std::make_shared<const Json>(std::move(value))) {}
void JsonBox::set(Json value) {
  value_ = std::make_shared<const Json>(std::move(value));
}

}  // namespace attache::conformance
