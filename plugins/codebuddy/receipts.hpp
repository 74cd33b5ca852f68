// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::codebuddy {

/// One receipt for each input: unknown. The CLI shows nothing of what it makes of a user message.
void emit_receipts(const sdk::Request& request, sdk::Run& run);

}  // namespace attache::codebuddy
