// SPDX-License-Identifier: Apache-2.0
// The wide part of the base64 work. No standard library beyond integers: base64_avx2.cpp is compiled for another CPU,
// and no inline function of it may end up in the rest of the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attache::sdk {

/// Does what it can do in large steps and leaves the rest to the table loops of base64.cpp.
struct Base64Blocks {
  /// Returns how many bytes of `in` were encoded into `out`, a multiple of 3.
  std::size_t (*encode)(const std::uint8_t* in, std::size_t size, char* out);
  /// Returns how many characters of `in` were decoded into `out`, a multiple of 4; stops before a step with any
  /// character that is not of the alphabet. Writes only inside of size / 4 * 3 bytes.
  std::size_t (*decode)(const unsigned char* in, std::size_t size, std::uint8_t* out);
};

/// Of every CPU: nothing is done in large steps.
extern const Base64Blocks base64_portable;
/// The best for the CPU at hand.
const Base64Blocks& best_base64_blocks() noexcept;
/// For tests: what base64_encode() and Base64Decoder use from now on; nullptr: the best.
void use_base64_blocks(const Base64Blocks* blocks) noexcept;

}  // namespace attache::sdk
