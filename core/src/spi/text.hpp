// SPDX-License-Identifier: Apache-2.0
// Texts that come from a driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attache::spi {

/// Strict UTF-8: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// The longest prefix of at most `limit` bytes that cuts no character.
std::string_view clip_utf8(std::string_view text, std::size_t limit) noexcept;

/// [a-z0-9_]+, at most 64 characters.
bool is_slug(std::string_view text) noexcept;

/// One line of at most `limit` bytes of valid UTF-8: faulty bytes and control characters become '?'.
std::string safe_line(std::string_view text, std::size_t limit);

}  // namespace attache::spi
