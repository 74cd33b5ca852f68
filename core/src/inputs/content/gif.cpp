// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

std::optional<PixelSize> gif_size(const ByteView& view) {
  const std::string text = text_at(view, 0, 10);
  if (text.size() < 10) return std::nullopt;
  return PixelSize{little16(text, 6), little16(text, 8)};
}

}  // namespace attache::inputs
