// SPDX-License-Identifier: Apache-2.0
#include "history/url.hpp"

#include <algorithm>
#include <cstddef>

namespace attache::history {
namespace {

constexpr std::size_t kLongest = 8192;
constexpr std::string_view kMalformed = "url_malformed";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// RFC 3986, but for the percent sign, which must be followed by two hex digits.
bool may_stand_in_url(char c) {
  constexpr std::string_view marks = "-._~:/?#[]@!$&'()*+,;=%";
  return is_letter(c) || is_digit(c) || marks.find(c) != std::string_view::npos;
}

bool has_valid_characters(std::string_view url) {
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (!may_stand_in_url(url[i])) return false;
    if (url[i] == '%' && (url.size() - i < 3 || !is_hex(url[i + 1]) || !is_hex(url[i + 2]))) return false;
  }
  return true;
}

bool is_scheme(std::string_view scheme) {
  return !scheme.empty() && is_letter(scheme.front()) && std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
}

bool is_port(std::string_view port) {
  return port.size() <= 5 && std::all_of(port.begin(), port.end(), is_digit);
}

// Host and port.
bool is_authority(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos || close < 3) return false;
    const std::string_view inside = authority.substr(1, close - 1), after = authority.substr(close + 1);
    const auto in_address = [](char c) { return is_hex(c) || c == ':' || c == '.'; };
    return std::all_of(inside.begin(), inside.end(), in_address) &&
           (after.empty() || (after.front() == ':' && is_port(after.substr(1))));
  }
  const std::size_t colon = authority.find(':');
  const std::string_view host = authority.substr(0, colon);
  return !host.empty() && host.find_first_of("[]") == std::string_view::npos &&
         (colon == std::string_view::npos || is_port(authority.substr(colon + 1)));
}

}  // namespace

std::string_view url_fault(std::string_view url) noexcept {
  const std::size_t mark = url.find("://");
  if (url.size() > kLongest || mark == std::string_view::npos || !is_scheme(url.substr(0, mark))) return kMalformed;
  const std::string_view rest = url.substr(mark + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (authority.find('@') != std::string_view::npos) return "url_user_info";
  return has_valid_characters(url) && is_authority(authority) ? std::string_view() : kMalformed;
}

}  // namespace attache::history
