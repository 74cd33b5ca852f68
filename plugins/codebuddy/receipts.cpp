// SPDX-License-Identifier: Apache-2.0
#include "receipts.hpp"

namespace attache::codebuddy {

void emit_receipts(const sdk::Request& request, sdk::Run& run) {
  for (const sdk::Input input : request.inputs()) run.receipt(input, sdk::Receipt::unknown);
}

}  // namespace attache::codebuddy
