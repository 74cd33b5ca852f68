// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "inputs/copy_budget.hpp"
#include "inputs/run_directory.hpp"
#include "inputs/stages.hpp"

namespace attache::inputs {

/// An input's copy in the run directory. Of a URL there is none.
struct Copy {
  std::string path;
  input::Digest sha256{};
  std::optional<FileIdentity> identity{};
};

/// Copies a peeked input into `directory`, or where it is placed, in one pass while hashing it, closes its source, and
/// judges what only the whole content tells. `budget` is that of the whole run, `buffer` is for reading. Unset when
/// there are findings. Whatever the outcome, the source is closed. Any thread, one for each subject. Throws
/// Error(cancelled).
std::optional<Copy> materialize(Subject& subject, RunDirectory& directory, const Terms& terms, CopyBudget& budget,
                                std::span<std::byte> buffer, Findings& findings);

}  // namespace attache::inputs
