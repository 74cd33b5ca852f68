// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/request.hpp>

#include "config.hpp"

namespace attache::codebuddy {

/// What the driver cannot do with a request whose inputs are declared (sdk::require_declared()) is refused here, before
/// anything is started. `directory`: where the CLI will work; `home`: its HOME. Throws sdk::Failure (invalid):
/// `slash_command` and `file_mention` for a prompt that the CLI would not send as it is, `exact_impossible` with the
/// index of the first such input, and the reasons of what was not declared.
void admit(const sdk::Request& request, const Config& config, const std::string& directory, const std::string& home);

}  // namespace attache::codebuddy
