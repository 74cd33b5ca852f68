// SPDX-License-Identifier: Apache-2.0
// Runs the checks on a plugin that this process never loads.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "check/plugin_report.hpp"

namespace attache::conformance {

struct CheckOptions {
  std::string filter = "*";  ///< glob over ids; see matches()
  unsigned jobs = 2;         ///< processes at a time
  std::uint64_t seed = 0;
  std::chrono::milliseconds time_limit{20000};          ///< for each process
  std::filesystem::path provider;                       ///< executable of a real provider; empty: the stand-in
  std::string config;                                   ///< JSON object merged over the descriptor's test config
  std::filesystem::path executable;                     ///< of the kit itself: started again for each job
  std::function<void(const std::string&)> on_progress;  ///< gets the name of a job that ended; any thread, serialised
};

/// How many checks that run with this provider the filter selects: the static ones, LOAD, and with a real provider
/// REAL, else all others.
std::size_t count_selected(const CheckOptions& options);

/// Never throws for what the plugin is or does.
PluginReport check_plugin(const std::filesystem::path& plugin, const CheckOptions& options);

}  // namespace attache::conformance
