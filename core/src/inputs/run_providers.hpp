// SPDX-License-Identifier: Apache-2.0
// The record in a run directory of the process groups that work for the run.
#pragma once

#include <cstdint>

namespace attache::inputs {

/// Adds a group to the record of an open run directory; the numbers as the SPI has them. Throws FaultError.
void append_provider(int directory, std::int64_t pgid, std::uint64_t start_time);

/// Ends every recorded group that is still what it was when it was recorded. The run's host must be gone. False:
/// something of one still lives.
bool end_providers(int directory) noexcept;

}  // namespace attache::inputs
