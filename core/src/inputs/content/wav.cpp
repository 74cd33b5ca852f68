// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

bool wav_has_format(const ByteView& whole) {
  constexpr int most_chunks = 256;
  std::uint64_t offset = 12;
  for (int chunk = 0; chunk < most_chunks; ++chunk) {
    const std::string text = text_at(whole, offset, 8);
    if (text.size() < 8) return false;
    const std::uint64_t length = little32(text, 4);
    if (text.starts_with("fmt ")) return length >= 14 && offset + 8 + length <= whole.size();
    offset += 8 + length + (length & 1u);
  }
  return false;
}

}  // namespace attache::inputs
