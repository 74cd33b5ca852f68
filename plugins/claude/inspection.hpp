// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "config.hpp"

namespace attache::claude {

/// Asks the CLI for its version and gives inspect()'s document. For a version that is not known to take media over
/// stream-json, its inputs are empty. Throws sdk::Failure: launch_failed, provider_failed, timeout.
std::string inspect(const Config& config);

/// The document for what `claude --version` printed; sdk::Failure (provider_failed, `version_unreadable`) if it is
/// no version.
std::string inspection_of(std::string_view printed);

}  // namespace attache::claude
