// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {
namespace {

constexpr std::uint64_t free_format = 0;

/// Bytes of the frame whose header stands at `i`; `free_format` when the header does not say; unset: no header.
std::optional<std::uint64_t> frame_length(std::string_view text, std::size_t i) noexcept {
  static constexpr std::uint32_t rates[5][15] = {
      {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},  // MPEG 1, layer I
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},     // MPEG 1, layer II
      {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},      // MPEG 1, layer III
      {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},     // MPEG 2, layer I
      {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},          // MPEG 2, layers II and III
  };
  static constexpr std::uint32_t samples[3] = {44100, 48000, 32000};
  if (i + 4 > text.size() || byte_of(text, i) != 0xff || (byte_of(text, i + 1) & 0xe0u) != 0xe0u) return std::nullopt;
  const std::uint32_t version = (byte_of(text, i + 1) >> 3) & 3u;  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const std::uint32_t layer = 4u - ((byte_of(text, i + 1) >> 1) & 3u);
  const std::uint32_t rate = byte_of(text, i + 2) >> 4, sample = (byte_of(text, i + 2) >> 2) & 3u;
  if (version == 1 || layer == 4 || rate == 15 || sample == 3) return std::nullopt;
  if (rate == 0) return free_format;
  const std::uint32_t hertz = samples[sample] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
  const std::uint32_t row = version == 3 ? layer - 1 : layer == 1 ? 3 : 4;
  const std::uint32_t bits = rates[row][rate] * 1000u, padding = (byte_of(text, i + 2) >> 1) & 1u;
  if (layer == 1) return (12u * bits / hertz + padding) * 4u;
  return (layer == 3 && version != 3 ? 72u : 144u) * bits / hertz + padding;
}

std::uint64_t tag_length(const ByteView& view) {
  const std::string text = text_at(view, 0, 10);
  if (text.size() < 10 || !text.starts_with("ID3")) return 0;
  std::uint64_t length = 0;
  for (std::size_t i = 6; i < 10; ++i) length = (length << 7) | (byte_of(text, i) & 0x7fu);
  return 10 + length + ((byte_of(text, 5) & 0x10u) != 0 ? 10u : 0u);
}

}  // namespace

bool mp3_has_frames(const ByteView& whole) {
  // Padding and stray bytes between a tag and the first frame are common; a second frame tells a frame from chance.
  constexpr std::size_t searched = std::size_t{64} << 10;
  const std::uint64_t start = tag_length(whole);
  const std::string text = text_at(whole, start, searched);
  for (std::size_t i = 0; i + 4 <= text.size(); ++i) {
    const auto length = frame_length(text, i);
    if (!length) continue;
    if (*length == free_format) return true;
    const std::uint64_t next = start + i + *length;
    if (next == whole.size()) return true;
    if (frame_length(text_at(whole, next, 4), 0)) return true;
    if (next < whole.size() && text_at(whole, next, 3) == "TAG") return true;
  }
  return false;
}

}  // namespace attache::inputs
