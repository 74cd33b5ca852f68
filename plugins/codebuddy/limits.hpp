// SPDX-License-Identifier: Apache-2.0
// What the CLI takes, as measured on CodeBuddy 2.117.0; README.md has the source of each. descriptor.json says the
// same to the host.
#pragma once

#include <cstdint>

#include <attache/sdk/version.hpp>

namespace attache::codebuddy {

inline constexpr std::uint64_t kMaxLineBytes = 10'485'760;  ///< of the line, escaped once more as a JSON string
inline constexpr std::uint64_t kLineAllowance = 20'000;     ///< what the CLI posts to itself beside the line

using sdk::Version;
inline constexpr Version kOldestTested{2, 117, 0};
inline constexpr Version kNewestTested{2, 117, 0};

}  // namespace attache::codebuddy
