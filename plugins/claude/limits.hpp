// SPDX-License-Identifier: Apache-2.0
// What the Messages API takes, as documented on 2026-11: platform.claude.com/docs/en/api/overview and
// …/build-with-claude/vision. descriptor.json says the same to the host.
#pragma once

#include <cstdint>

namespace attache::claude {

inline constexpr std::uint64_t kMaxRequestBytes = 32'000'000;       ///< of one request; MB as the stricter reading
inline constexpr std::uint64_t kRequestAllowance = 50'000;          ///< what the CLI puts around the frame's content
inline constexpr std::uint64_t kMaxImageEncodedBytes = 10'000'000;  ///< of one image, after base64
inline constexpr std::uint64_t kMaxImages = 100;                    ///< in one request

}  // namespace attache::claude
