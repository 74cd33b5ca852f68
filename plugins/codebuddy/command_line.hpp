// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/request.hpp>

#include "config.hpp"
#include "session.hpp"

namespace attache::codebuddy {

/// HOME of the CLI: as configured, else `scratch` for a hermetic one.
std::string home_of(const Config& config, const std::string& scratch);

/// The process of one turn: arguments and the whole environment. `scratch` is its private TMPDIR; it works in
/// `directory`, and may read the directories of the request's workspace references. Throws sdk::Failure
/// (launch_failed, `executable_not_found`), as the other two do.
sdk::SpawnOptions command_line(const Config& config, const sdk::Request& request, const Session& session,
                               const std::string& directory, const std::string& scratch);

/// The process that only tells its version.
sdk::SpawnOptions version_command(const Config& config, const std::string& scratch);

/// The process that answers control requests and has no turn.
sdk::SpawnOptions control_command(const Config& config, const std::string& scratch);

}  // namespace attache::codebuddy
