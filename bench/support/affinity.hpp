// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace attache::bench {

/// Keeps this thread, and what it starts from now on, on one processor. Throws when that is not allowed.
void pin_to(int processor);
/// Back to all processors that the program was started with.
void unpin();
/// The processors that the program was started with.
const std::vector<int>& processors();

}  // namespace attache::bench
