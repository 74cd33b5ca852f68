// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/child_process.hpp>

#include "config.hpp"

namespace attache::claude {

/// The CLI's path. Throws sdk::Failure (launch_failed, `executable_not_found`).
std::string executable_of(const Config& config);

/// The process of one turn: arguments and the whole environment. `scratch` is its private TMPDIR; it works in
/// `workspace`, or in `scratch` where there is none, so that nothing of the host's directory goes into the request.
sdk::SpawnOptions command_line(const Config& config, const std::string& workspace, const std::string& scratch);

/// The process that only tells its version.
sdk::SpawnOptions version_command(const Config& config, const std::string& scratch);

}  // namespace attache::claude
