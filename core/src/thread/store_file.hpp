// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace attache::threads {

/// Makes sure that the file is there, private when it is new. Throws Error (errc::thread_store): open_failed;
/// not_regular for anything but a regular file.
///
/// To be called by one thread of the process at a time, and not while another one of them opens the same database:
/// closing any descriptor of a file drops the locks that SQLite holds on it for this process.
void create_store_file(const std::filesystem::path& file);

}  // namespace attache::threads
