// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>

#include "loader/load_outcome.hpp"

namespace attache {

inline constexpr std::chrono::seconds probe_time_limit{10};

/// Loads a driver in a process of its own, so that one that crashes or hangs while it loads does so there. The
/// process has the host's environment and no descriptor of it. A driver's refusal keeps its own stage; a crash, a
/// hang, a missing probe have the stage probe.
StepResult probe_in_child(const std::filesystem::path& probe, const std::filesystem::path& driver,
                          std::chrono::milliseconds time_limit);

}  // namespace attache
