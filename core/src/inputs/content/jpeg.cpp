// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {
namespace {

bool is_frame_start(std::uint32_t marker) noexcept {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

bool stands_alone(std::uint32_t marker) noexcept {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

}  // namespace

std::optional<PixelSize> jpeg_size(const ByteView& view) {
  // Each step reads nine bytes. A profile or a preview takes up to a few hundred segments.
  constexpr int most_segments = 4096;
  std::uint64_t offset = 2;
  for (int segment = 0; segment < most_segments; ++segment) {
    const std::string text = text_at(view, offset, 9);
    if (text.size() < 4 || byte_of(text, 0) != 0xff) return std::nullopt;
    const std::uint32_t marker = byte_of(text, 1);
    if (marker == 0xff || stands_alone(marker)) {
      offset += marker == 0xff ? 1 : 2;
      continue;
    }
    if (marker == 0xd9 || marker == 0xda) return std::nullopt;
    if (is_frame_start(marker)) {
      if (text.size() < 9) return std::nullopt;
      return PixelSize{big16(text, 7), big16(text, 5)};
    }
    offset += 2u + big16(text, 2);
  }
  return std::nullopt;
}

}  // namespace attache::inputs
