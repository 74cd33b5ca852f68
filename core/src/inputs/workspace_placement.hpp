// SPDX-License-Identifier: Apache-2.0
// Files that have to lie inside of the workspace, because the provider reads nothing else.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "inputs/run_directory.hpp"

namespace attache::inputs {

/// A directory for one run below `<workspace>/.attache`. The latter is ours, writable by no one else, and hides what
/// it holds from version control by a `.gitignore` of its own; it goes with the last run that uses it. One thread at
/// a time; create() of the directory from any.
class WorkspacePlacement {
 public:
  /// `run` is the run's private directory: it keeps the record by which a sweep finds the placement. It outlives what
  /// is returned. Throws FaultError: workspace_unsafe, workspace_failed, workspace_untrusted, disk_full, write_failed.
  static std::unique_ptr<WorkspacePlacement> make(const std::filesystem::path& workspace, RunDirectory& run);
  virtual ~WorkspacePlacement() = default;  ///< remove()
  virtual RunDirectory& directory() noexcept = 0;
  /// Removes the directory and all in it, and `.attache` when nothing else is left there. Idempotent.
  virtual void remove() noexcept = 0;
};

/// For a sweep, before it removes an open run directory whose host is gone and whose providers ended: removes the
/// placement that is recorded there, if it is still the one that was recorded and nobody holds it. False: it is there
/// and could not be removed now.
bool remove_recorded_placement(int run_directory) noexcept;

}  // namespace attache::inputs
