// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/child_process.hpp>

#include "config.hpp"

namespace attache::acp {

/// The agent's process: arguments and the whole environment. `scratch` is its private TMPDIR, and its HOME where no
/// other is configured; it works in `directory`. Throws sdk::Failure (launch_failed, `executable_not_found`).
sdk::SpawnOptions command_line(const Config& config, const std::string& directory, const std::string& scratch);

}  // namespace attache::acp
