// SPDX-License-Identifier: Apache-2.0
// What is decided about a driver file before any of its code runs.
#pragma once

#include <optional>
#include <string_view>

#include "loader/bounded_file.hpp"
#include "loader/load_outcome.hpp"

namespace attache {

/// A file that was opened, and what it says.
struct StaticCheck {
  StepResult result;
  std::optional<BoundedFile> file;  ///< once it was opened
  FileReport report;
};

/// Opens and reads a file, in the order: type, owner and rights, content, version, trust. The report has a digest only
/// where the host has a list of those it trusts.
StaticCheck check_statically(const std::filesystem::path& path, const HostOptions& options);

/// Gives the report of a file that passed the digest it may lack; the check fails when the file changed.
void add_digest(StaticCheck& check, const HostOptions& options);

/// Whether a digest (hex) is on the host's list.
bool trusts(const HostOptions& options, std::string_view sha256) noexcept;

}  // namespace attache
