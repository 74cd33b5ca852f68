// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

std::optional<PixelSize> png_size(const ByteView& view) {
  constexpr std::size_t header = 8 + 4 + 4 + 8;  // signature, length, "IHDR", width and height
  const std::string text = text_at(view, 0, header);
  if (text.size() < header || text.compare(12, 4, "IHDR") != 0) return std::nullopt;
  const PixelSize size{big32(text, 16), big32(text, 20)};
  if (size.width == 0 || size.height == 0) return std::nullopt;
  return size;
}

}  // namespace attache::inputs
