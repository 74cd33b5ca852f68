// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, standard alphabet, padded, no white space), in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attache::sdk {

/// Characters that `size` bytes take once encoded.
/// \since 0.1
constexpr std::uint64_t base64_length(std::uint64_t size) noexcept {
  return (size + 2) / 3 * 4;
}

/// Encodes `bytes` into `out`, which holds at least base64_length(bytes.size()) characters; returns how many
/// were written. Only the last piece of a stream may have a length that is no multiple of 3.
/// \since 0.1
std::size_t base64_encode(std::span<const std::uint8_t> bytes, char* out) noexcept;
std::string base64_encode(std::string_view bytes);

/// Decodes strictly and in pieces: white space, a foreign character, missing or misplaced padding and non-zero
/// trailing bits are errors. `out` holds at least piece.size() / 4 * 3 + 3 bytes.
/// \since 0.1
class Base64Decoder {
 public:
  /// Returns false at the first fault; `written` is what was decoded of this piece.
  bool update(std::string_view piece, std::uint8_t* out, std::size_t& written) noexcept;
  /// True when the whole text was valid and ended on a full group.
  bool finish() const noexcept;

 private:
  std::uint32_t group_ = 0;
  unsigned count_ = 0;
  unsigned padding_ = 0;
  bool bad_ = false;
};

}  // namespace attache::sdk
