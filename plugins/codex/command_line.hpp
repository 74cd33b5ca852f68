// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/child_process.hpp>

#include "config.hpp"

namespace attache::codex {

/// The app server's process: arguments and the whole environment. `scratch` is its private TMPDIR, and its CODEX_HOME
/// where the driver is hermetic and no other is configured; it works in `directory`. Throws sdk::Failure
/// (launch_failed, `executable_not_found`).
sdk::SpawnOptions command_line(const Config& config, const std::string& directory, const std::string& scratch);

}  // namespace attache::codex
