// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "inputs/run_directory.hpp"

namespace attache::inputs {

/// A name for a run directory that cannot be guessed: "run-" (inputs) or "driver-" (what the driver keeps) and 32
/// hexadecimal digits. Throws FaultError.
std::string run_directory_name(RunDirectory::Holds holds);
bool is_run_directory_name(std::string_view name) noexcept;

/// 32 hexadecimal digits from the system's randomness. Throws FaultError.
std::string random_digits();

/// Ends the providers and removes the run directories in an open base whose owner is gone, once for each base in this
/// process. A run directory is owned by whoever holds its lock; age means nothing. Other entries are left alone.
void sweep_at_first_use(int base, const std::string& path);

/// Removes a directory of ours and all in it, without following links, whatever rights its directories have. True when
/// nothing is left.
bool remove_tree(int parent, const char* name) noexcept;

}  // namespace attache::inputs
