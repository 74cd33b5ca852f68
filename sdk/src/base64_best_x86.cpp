// SPDX-License-Identifier: Apache-2.0
#include "base64_avx2.hpp"

namespace attache::sdk {
namespace {

constexpr Base64Blocks kAvx2{base64_encode_avx2, base64_decode_avx2};

}  // namespace

const Base64Blocks& best_base64_blocks() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0 ? kAvx2 : base64_portable;
}

}  // namespace attache::sdk
