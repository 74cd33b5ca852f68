// SPDX-License-Identifier: Apache-2.0
// What a run's private directory says of its placement in a workspace. Only for *_posix.cpp files.
#pragma once

#include <string>

#include "inputs/run_directory.hpp"

namespace attache::inputs {

/// Both throw FaultError.
void record_workspace(RunDirectory& run, const std::string& path, int workspace);
/// The directory was just made in the open `.attache`.
void record_directory(RunDirectory& run, int home, const std::string& name);

}  // namespace attache::inputs
