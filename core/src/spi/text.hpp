// SPDX-License-Identifier: Apache-2.0
// Texts that come from a driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attache::spi {

/// [a-z0-9_]+, at most 64 characters.
bool is_slug(std::string_view text) noexcept;

/// Bounds of what a host is shown of a driver's error, in bytes.
inline constexpr std::size_t longest_error_text = 1024, longest_request_id = 128;

/// One line of at most `limit` bytes of valid UTF-8: faulty bytes and control characters become '?'.
/// For a text that may hold what must not be shown, the last step: a path that was cut is found by nobody.
std::string safe_line(std::string_view text, std::size_t limit);

}  // namespace attache::spi
