// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace attache::conformance {

/// A descriptor that appends, is not inherited, and takes each write at once. Throws std::system_error.
int open_append(const std::filesystem::path& file);
/// False when the reader is gone or the descriptor is closed. Throws std::system_error for anything else.
bool write_all(int descriptor, std::string_view bytes);
void close_file(int descriptor) noexcept;

}  // namespace attache::conformance
