// SPDX-License-Identifier: Apache-2.0
#include "descriptor/semantic_version.hpp"

#include <algorithm>

namespace attache {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_digit);
}
bool is_number(std::string_view text) {
  return !text.empty() && all_digits(text) && (text.size() == 1 || text.front() != '0');
}
bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

/// True when each dot-separated part satisfies `rule`; `count` is how many there are.
template <class Rule>
bool each_part(std::string_view text, Rule rule, std::size_t& count) {
  count = 0;
  while (true) {
    const auto dot = text.find('.');
    ++count;
    if (!rule(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

bool is_semantic_version(std::string_view text) noexcept {
  std::size_t parts = 0;
  if (const auto plus = text.find('+'); plus != std::string_view::npos) {
    if (!each_part(text.substr(plus + 1), is_identifier, parts)) return false;
    text = text.substr(0, plus);
  }
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto rule = [](std::string_view part) {
      return is_identifier(part) && (!all_digits(part) || is_number(part));
    };
    if (!each_part(text.substr(dash + 1), rule, parts)) return false;
    text = text.substr(0, dash);
  }
  return each_part(text, is_number, parts) && parts == 3;
}

}  // namespace attache
