// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "loader/static_checks.hpp"

namespace attache {

/// The directories a host looks in, in order: its own, the installation's, those of its environment variable.
std::vector<std::filesystem::path> search_directories(const HostOptions& options);

/// Reads every library (*.so) of the search directories, in order of directory and then of name, and hands each to
/// `visit` until it returns false. Directories that cannot be used go into the report.
void search(const HostOptions& options, LoadReport& report,
            const std::function<bool(const std::filesystem::path&, StaticCheck&)>& visit);

/// A step's result as an entry of the report.
LoadAttempt attempt_at(const std::filesystem::path& place, const StepResult& result, std::string id);

}  // namespace attache
