// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

std::optional<PixelSize> bmp_size(const ByteView& view) {
  const std::string text = text_at(view, 0, 26);
  if (text.size() < 22) return std::nullopt;
  if (little32(text, 14) == 12) return PixelSize{little16(text, 18), little16(text, 20)};
  if (text.size() < 26) return std::nullopt;
  // A negative height means that the rows go from top to bottom.
  const auto magnitude = [&](std::size_t i) -> std::uint64_t {
    const std::uint32_t value = little32(text, i);
    return value > 0x80000000u ? 0x100000000ull - value : value;
  };
  return PixelSize{magnitude(18), magnitude(22)};
}

}  // namespace attache::inputs
