// SPDX-License-Identifier: Apache-2.0
#include "json_access.hpp"

#include <nlohmann/json.hpp>

namespace attache::codex {

Json parse(const std::string& text) {
  return sdk::parse_json<Json>(text).value_or(Json());
}

}  // namespace attache::codex
