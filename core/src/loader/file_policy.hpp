// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <attache/host.hpp>

#include "loader/bounded_file.hpp"
#include "loader/load_outcome.hpp"

namespace attache {

/// Whether a directory may hold drivers: absolute, there, of root or the user, not writable by others. Stage search.
StepResult check_directory(const std::filesystem::path& directory, const HostOptions& options);

/// Whether a file may be read as a driver: it and the directory it is in. Stage file.
StepResult check_file(const BoundedFile& file, const HostOptions& options);

}  // namespace attache
