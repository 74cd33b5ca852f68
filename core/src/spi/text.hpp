// SPDX-License-Identifier: Apache-2.0
// Texts that come from a driver.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attache::spi {

/// [a-z0-9_]+, at most 64 characters.
bool is_slug(std::string_view text) noexcept;

/// One line of at most `limit` bytes of valid UTF-8: faulty bytes and control characters become '?'.
std::string safe_line(std::string_view text, std::size_t limit);

}  // namespace attache::spi
