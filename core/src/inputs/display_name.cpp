// SPDX-License-Identifier: Apache-2.0
#include "inputs/display_name.hpp"

#include "inputs/utf8.hpp"

namespace attache::inputs {
namespace {

bool is_separator(char32_t c) noexcept {
  return c == U'/' || c == U'\\';
}

bool is_control(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
}

/// Marks, embeddings, overrides and isolates that change the direction of what follows.
bool is_direction(char32_t c) noexcept {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/// The joiners U+200C and U+200D are not among them: scripts and emoji need them.
bool is_zero_width(char32_t c) noexcept {
  return c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x00ad;
}

bool is_dots(std::string_view name) noexcept {
  return name == "." || name == "..";
}

/// Cuts before `limit` bytes without cutting into a character.
std::string_view cut(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0u) == 0x80u) --limit;
  return text.substr(0, limit);
}

std::string shortened(std::string name) {
  constexpr std::size_t longest_extension = 32;
  if (name.size() <= max_name_bytes) return name;
  const auto dot = name.rfind('.');
  const bool extension = dot != std::string::npos && dot > 0 && name.size() - dot <= longest_extension;
  const std::string tail = extension ? name.substr(dot) : std::string();
  return std::string(cut(name, max_name_bytes - tail.size())) + tail;
}

}  // namespace

std::optional<std::string> declared_name(std::string_view given) {
  std::string name;
  while (!given.empty()) {
    const Character character = first_character(given);
    const char32_t c = character.value;
    if (!character.valid || is_separator(c) || is_control(c) || is_direction(c)) return std::nullopt;
    if (!is_zero_width(c)) name.append(given.substr(0, character.length));
    given.remove_prefix(character.length);
  }
  if (name.empty() || is_dots(name)) return std::nullopt;
  return shortened(std::move(name));
}

std::string cleaned_name(std::string_view source_name) {
  std::string name;
  while (!source_name.empty()) {
    const Character character = first_character(source_name);
    const char32_t c = character.value;
    if (!character.valid || is_separator(c)) {
      name.push_back('_');
    } else if (!is_control(c) && !is_direction(c) && !is_zero_width(c)) {
      name.append(source_name.substr(0, character.length));
    }
    source_name.remove_prefix(character.length);
  }
  return is_dots(name) ? std::string() : shortened(std::move(name));
}

}  // namespace attache::inputs
