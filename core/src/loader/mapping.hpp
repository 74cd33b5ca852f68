// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "loader/bounded_file.hpp"

namespace attache {

/// How the kernel names the file behind the mapping that holds an address: its device and inode.
std::optional<std::string> mapped_identity(const void* address);

/// The same for an open file. The kernel is asked about a mapping of it, because some file systems show another
/// device for a mapping than for the file.
std::optional<std::string> file_identity(const BoundedFile& file);

}  // namespace attache
