// SPDX-License-Identifier: Apache-2.0
#include "run/document.hpp"

#include <nlohmann/json.hpp>

namespace attache::run {
namespace {

constexpr std::size_t deepest = 512;

bool is_flat_enough(std::string_view json) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      at += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if ((c == '[' || c == '{') && ++depth > deepest) {
      return false;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return true;
}

}  // namespace

bool is_document(std::string_view json) {
  return is_flat_enough(json) && nlohmann::json::accept(json);
}

}  // namespace attache::run
