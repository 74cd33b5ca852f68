// SPDX-License-Identifier: Apache-2.0
#include "base64_blocks.hpp"

namespace attache::sdk {

const Base64Blocks base64_portable{
    [](const std::uint8_t*, std::size_t, char*) -> std::size_t { return 0; },
    [](const unsigned char*, std::size_t, std::uint8_t*) -> std::size_t { return 0; },
};

}  // namespace attache::sdk
