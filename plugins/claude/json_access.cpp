// SPDX-License-Identifier: Apache-2.0
#include "json_access.hpp"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

namespace attache::claude {
namespace {

constexpr int kMaxDepth = 256;
struct TooDeep {};

/// The number after `\\u` at this place, or nothing.
std::optional<unsigned> unit_at(std::string_view text, std::size_t at) {
  unsigned value = 0;
  const std::string_view escape = text.substr(std::min(at, text.size()), 6);
  if (escape.size() != 6 || escape[0] != '\\' || escape[1] != 'u') return std::nullopt;
  const auto read = std::from_chars(escape.data() + 2, escape.data() + 6, value, 16);
  return read.ptr == escape.data() + 6 ? std::optional(value) : std::nullopt;
}

/// The CLI cuts strings between the halves of a surrogate pair and writes the half that is left as an escape, which
/// is no character. Each such half becomes U+FFFD.
std::string with_whole_characters(std::string line) {
  for (std::size_t at = line.find('\\'); at < line.size(); at = line.find('\\', at)) {
    const std::optional<unsigned> unit = unit_at(line, at);
    const std::optional<unsigned> next = unit_at(line, at + 6);
    const bool high = unit && *unit >= 0xD800 && *unit < 0xDC00;
    const bool pair = high && next && *next >= 0xDC00 && *next < 0xE000;
    if (unit && *unit >= 0xD800 && *unit < 0xE000 && !pair) line.replace(at, 6, "\\ufffd");
    at += pair ? 12 : unit ? 6 : 2;
  }
  return line;
}

std::optional<Json> parse_bounded(const std::string& line) {
  const Json::parser_callback_t bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) throw TooDeep{};
    return true;
  };
  try {
    return Json::parse(line, bounded);
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const TooDeep&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Json> parse(const std::string& line) {
  if (std::optional<Json> document = parse_bounded(line)) return document;
  const std::string repaired = with_whole_characters(line);
  return repaired == line ? std::nullopt : parse_bounded(repaired);
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

}  // namespace attache::claude
