// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "inputs/run_directory.hpp"
#include "inputs/stages.hpp"

namespace attache::inputs {

/// An input's copy in the run directory.
struct Copy {
  std::string path;
  input::Digest sha256{};
};

/// Copies a peeked input in one pass while hashing it, closes its source, and judges what only the whole content
/// tells. `before`: bytes of the inputs copied before it. `buffer` is for reading. Unset when there are findings.
/// Throws Error(cancelled).
std::optional<Copy> materialize(Subject& subject, RunDirectory& directory, const Terms& terms, std::uint64_t before,
                                std::span<std::byte> buffer, const std::stop_token& stop, Findings& findings);

}  // namespace attache::inputs
