// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <attache/sdk/failure.hpp>

#include "json_access.hpp"

namespace attache::claude {

/// Collects what decides whether a turn went well. `subtype` and the exit code decide nothing: the CLI says "success"
/// for refused requests too.
class Verdict {
 public:
  /// An assistant frame that stands for an error of the API; one about removed media is not for here.
  void api_error(const Json& frame);
  void result(const Json& frame);

  /// After the result: throws the failure that follows, if one does.
  void settle() const;

 private:
  sdk::Failure classify() const;

  bool is_error_ = false;
  bool api_error_seen_ = false;
  std::uint32_t http_status_ = 0;
  std::string api_error_;  ///< the CLI's slug
  std::string subtype_, terminal_reason_, stop_reason_;
  std::string said_;  ///< the result's text; read for known beginnings, never shown
  std::string request_id_;
};

}  // namespace attache::claude
