// SPDX-License-Identifier: Apache-2.0
// Reading a provider's JSON, which may be anything: what is missing or of another type reads as empty. Templates over
// nlohmann's json types, so that this library has no say in which version of theirs a driver takes; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attache::sdk {

/// Nothing nested deeper than this is read: a recursive parser or destructor would end the process.
/// \since 0.2
inline constexpr int kMaxJsonDepth = 256;

/// The line with U+FFFD for each escape of half a surrogate pair. Providers that cut a string between the halves write
/// such escapes, and they are no JSON.
/// \since 0.2
std::string with_whole_characters(std::string line);

namespace detail {

template <class Json>
std::optional<Json> parse_bounded(const std::string& line) {
  struct TooDeep {};
  const typename Json::parser_callback_t bounded = [](int depth, typename Json::parse_event_t, Json&) {
    if (depth > kMaxJsonDepth) throw TooDeep{};
    return true;
  };
  try {
    return Json::parse(line, bounded);
  } catch (const typename Json::exception&) {
    return std::nullopt;
  } catch (const TooDeep&) {
    return std::nullopt;
  }
}

}  // namespace detail

/// The document, or nothing when it is not JSON or nested too deep.
/// \since 0.2
template <class Json>
std::optional<Json> parse_json(const std::string& line) {
  if (std::optional<Json> document = detail::parse_bounded<Json>(line)) return document;
  const std::string repaired = with_whole_characters(line);
  return repaired == line ? std::nullopt : detail::parse_bounded<Json>(repaired);
}

/// The member, or a null value.
/// \since 0.2
template <class Json>
const Json& member(const Json& object, std::string_view key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}
/// \since 0.2
template <class Json>
std::string text(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.template get<std::string>() : std::string();
}
/// \since 0.2
template <class Json>
bool flag(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_boolean() && value.template get<bool>();
}
/// \since 0.2
template <class Json>
std::uint64_t number(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_number_unsigned() ? value.template get<std::uint64_t>() : 0;
}

}  // namespace attache::sdk
