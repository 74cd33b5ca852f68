// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

namespace attache::codex {

std::string signature(std::string_view workspace, std::string_view checkpoint) {
  return std::string(workspace).append(1, '\0').append(checkpoint);
}

}  // namespace attache::codex
