// SPDX-License-Identifier: Apache-2.0
// What the CLI takes, as measured on codex-cli 0.171.0; README.md has the source of each. descriptor.json says the
// same to the host.
#pragma once

#include <cstdint>

#include <attache/sdk/version.hpp>

namespace attache::codex {

inline constexpr std::uint64_t kMaxTextCharacters = 1'048'576;  ///< of all text items of a turn together
inline constexpr std::uint64_t kMaxAudioBytes = 52'428'800;

using sdk::Version;
inline constexpr Version kOldestTested{0, 163, 0};
inline constexpr Version kNewestTested{0, 171, 0};

}  // namespace attache::codex
