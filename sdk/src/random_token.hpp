// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace attache::sdk {

/// 128 random bits as 32 hexadecimal digits. Throws std::runtime_error when there is no randomness.
std::string random_token();

}  // namespace attache::sdk
