// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "inputs/materialize.hpp"

namespace attache::inputs {

/// Of an input of at least this size more than one is copied at once.
constexpr std::uint64_t large_input = std::uint64_t{1} << 20;

/// Threads that copy these peeked inputs: 1, or one for each large input up to 4 and what the machine has.
std::size_t copy_threads(std::span<const Subject> subjects) noexcept;

/// Copies all peeked inputs, the caller's thread being one of `threads`. After a failure those of a higher index are
/// given up and those of a lower one go on, so that the failure of the lowest index is found. No source stays open
/// and no thread runs when it returns or throws. `stop`: that of the run; the subjects' own follow it. Throws
/// InputError or Error(cancelled).
std::vector<Copy> copy_all(std::span<Subject> subjects, RunDirectory& directory, const Terms& terms,
                           std::size_t threads, const std::stop_token& stop);

}  // namespace attache::inputs
