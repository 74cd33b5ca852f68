// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "loader/loaded_driver.hpp"
#include "loader/static_checks.hpp"

namespace attache {

/// Entry, table and descriptor of a file that was checked: everything in this process. Runs the driver's code.
StepResult load_in_process(const StaticCheck& check, LoadedDriver& out);

/// How a driver with the id of one that is already loaded, but from another file, is met.
enum class OtherFile {
  first_wins,  ///< the one that is loaded is the answer
  refuse,      ///< unless it has the same path
};

struct LoadResult {
  StepResult result;
  std::shared_ptr<const LoadedDriver> driver;
};

/// Probes and loads a file that passed its static checks. Libraries go to the registry of the process and stay.
LoadResult load_checked(const StaticCheck& check, const HostOptions& options, OtherFile other);

}  // namespace attache
