// SPDX-License-Identifier: Apache-2.0
// What the tap asks of its operating system.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attache::conformance {

std::vector<std::string> environment_names();
std::int64_t own_pid();
/// Words as in "ignore_signals" and "signal".
void ignore_signal(const std::string& word);
[[noreturn]] void end_by_signal(const std::string& word);
/// A process in our group that waits for at most two minutes. Returns its id.
std::int64_t leave_grandchild(bool holds_outputs);
/// The tap never outlives this, whatever its script and its driver do.
void limit_lifetime(unsigned seconds);
/// Returns only by a signal's action.
[[noreturn]] void wait_forever();

}  // namespace attache::conformance
