// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/request.hpp>

namespace attache::codex {

/// What the driver cannot do with a request whose inputs are declared (sdk::require_declared()) is refused here, before
/// anything is started. Throws sdk::Failure with the index of the first offending input: too_large (`size_limit`),
/// invalid `exact_impossible` for a GIF or a reference that has to stay exact; invalid for the other things that were
/// not declared.
void admit(const sdk::Request& request);

}  // namespace attache::codex
