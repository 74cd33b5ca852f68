// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

std::optional<PixelSize> webp_size(const ByteView& view) {
  constexpr std::size_t header = 30;
  const std::string text = text_at(view, 0, header);
  if (text.size() < 25) return std::nullopt;
  const std::string_view chunk = std::string_view(text).substr(12, 4);
  if (chunk == "VP8L" && byte_of(text, 20) == 0x2f) {
    const std::uint32_t bits = little32(text, 21);
    return PixelSize{(bits & 0x3fffu) + 1, ((bits >> 14) & 0x3fffu) + 1};
  }
  if (text.size() < header) return std::nullopt;
  if (chunk == "VP8X") {
    const auto little24 = [&](std::size_t i) { return little16(text, i) | (byte_of(text, i + 2) << 16); };
    return PixelSize{little24(24) + 1u, little24(27) + 1u};
  }
  if (chunk == "VP8 " && text.compare(23, 3, "\x9d\x01\x2a") == 0) {
    return PixelSize{little16(text, 26) & 0x3fffu, little16(text, 28) & 0x3fffu};
  }
  return std::nullopt;
}

}  // namespace attache::inputs
