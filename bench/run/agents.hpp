// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <attache/agent.hpp>

namespace attache::bench {

inline constexpr const char* kMediaType = "application/x-bench";

/// With the bench driver and the stand-in CLI.
Agent bench_agent(const std::filesystem::path& base);
/// With the claude driver and the stand-in CLI.
Agent claude_agent(const std::filesystem::path& base);

}  // namespace attache::bench
