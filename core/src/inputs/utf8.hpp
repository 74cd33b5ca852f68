// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attache::inputs {

/// The character at the start of a text, or one invalid byte.
struct Character {
  char32_t value = 0;
  std::size_t length = 0;  ///< bytes; 1 when invalid
  bool valid = false;
};

/// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. `text` is not empty.
Character first_character(std::string_view text) noexcept;
bool is_utf8(std::string_view text) noexcept;

/// Looks at text in pieces: whether it is UTF-8, and how long it is inside a JSON string.
class TextMeasure {
 public:
  void update(std::span<const std::byte> piece) noexcept;
  /// False after a fault, or inside a character.
  bool valid() const noexcept { return valid_ && missing_ == 0; }
  std::uint64_t json_length() const noexcept { return json_length_; }

 private:
  void next(unsigned char byte) noexcept;

  std::uint64_t json_length_ = 0;
  unsigned missing_ = 0;
  unsigned char low_ = 0x80;
  unsigned char high_ = 0xbf;
  bool valid_ = true;
};

}  // namespace attache::inputs
