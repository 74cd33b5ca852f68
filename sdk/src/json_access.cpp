// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <attache/sdk/json_access.hpp>

namespace attache::sdk {
namespace {

/// The number after `\\u` at this place, or nothing.
std::optional<unsigned> unit_at(std::string_view text, std::size_t at) {
  unsigned value = 0;
  const std::string_view escape = text.substr(std::min(at, text.size()), 6);
  if (escape.size() != 6 || escape[0] != '\\' || escape[1] != 'u') return std::nullopt;
  const auto read = std::from_chars(escape.data() + 2, escape.data() + 6, value, 16);
  return read.ptr == escape.data() + 6 ? std::optional(value) : std::nullopt;
}

}  // namespace

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

}  // namespace attache::sdk
