// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attache::bench {

/// Makes the peak of this process's resident set what it is now.
void reset_peak();
/// Highest resident set since then, in bytes.
std::uint64_t peak_bytes();

}  // namespace attache::bench
