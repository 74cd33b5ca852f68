// SPDX-License-Identifier: Apache-2.0
#include "json_access.hpp"

#include <nlohmann/json.hpp>

namespace attache::codex {

Json parse(const std::string& text) {
  Json out = Json::parse(text, nullptr, false);
  return out.is_discarded() ? Json() : out;
}

const Json& member(const Json& object, std::string_view key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::string text(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_boolean() && value.get<bool>();
}

std::uint64_t number(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::string as_utf8(const std::string& bytes) {
  return Json::parse(Json(bytes).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace attache::codex
