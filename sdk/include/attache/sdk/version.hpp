// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace attache::sdk {

/// Major, minor, patch of a provider's program. \since 0.2
using Version = std::array<unsigned, 3>;

/// What the text begins with: "2.1.332 (Claude Code)". Nothing: it does not begin with three numbers. \since 0.2
std::optional<Version> read_version(std::string_view text);
std::string to_string(const Version& version);

}  // namespace attache::sdk
