// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attache::sdk {

/// Strict UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF), in pieces.
class Utf8Validator {
 public:
  /// False at the first fault, and from then on.
  bool update(std::string_view piece) noexcept;
  /// False inside of a character.
  bool complete() const noexcept { return missing_ == 0; }

 private:
  bool lead(unsigned char byte) noexcept;

  unsigned missing_ = 0;
  unsigned char low_ = 0x80;
  unsigned char high_ = 0xbf;
  bool bad_ = false;
};

/// True when a byte below 0x20 is among them.
bool has_control(std::string_view bytes) noexcept;

/// Appends the UTF-8 of a code point that is no surrogate.
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace attache::sdk
