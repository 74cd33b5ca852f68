// SPDX-License-Identifier: Apache-2.0
#include "base64_blocks.hpp"

namespace attache::sdk {

const Base64Blocks& best_base64_blocks() noexcept {
  return base64_portable;
}

}  // namespace attache::sdk
