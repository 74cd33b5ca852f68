// SPDX-License-Identifier: Apache-2.0
#include "descriptor/media_type.hpp"

#include <algorithm>

namespace attache {
namespace {

/// A restricted name of RFC 6838, lower case.
bool is_name(std::string_view text) noexcept {
  constexpr std::string_view marks = "!#$&-^_.+";
  const auto alnum = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (text.empty() || !alnum(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return alnum(c) || marks.find(c) != std::string_view::npos; });
}

}  // namespace

bool is_media_type_pattern(std::string_view text) noexcept {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view subtype = text.substr(slash + 1);
  return is_name(text.substr(0, slash)) && (subtype == "*" || is_name(subtype));
}

bool belongs_to(std::string_view pattern, input::Kind kind) noexcept {
  const std::string_view type = pattern.substr(0, pattern.find('/'));
  if (kind == input::Kind::file) return pattern != "image/*" && pattern != "audio/*" && pattern != "video/*";
  return type == input::to_string(kind);
}

}  // namespace attache
