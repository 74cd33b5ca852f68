// SPDX-License-Identifier: Apache-2.0
// What core looks at inside of media. Headers only: nothing is decoded, and what is read is bounded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "inputs/content/byte_view.hpp"
#include "inputs/signature.hpp"

namespace attache::inputs {

struct PixelSize {
  std::uint64_t width = 0, height = 0;
};

struct ContentFault {
  std::string_view reason, sentence;
};

/// Whether pixel_size() knows the format.
bool has_pixel_size(Format format) noexcept;
/// From the header; unset when the view does not hold one.
std::optional<PixelSize> pixel_size(Format format, const ByteView& view);
/// What is wrong with whole content of this format.
std::optional<ContentFault> check_content(Format format, const ByteView& whole);

std::optional<PixelSize> png_size(const ByteView& view);
std::optional<PixelSize> jpeg_size(const ByteView& view);
std::optional<PixelSize> gif_size(const ByteView& view);
std::optional<PixelSize> webp_size(const ByteView& view);
std::optional<PixelSize> bmp_size(const ByteView& view);
std::optional<ContentFault> check_pdf(const ByteView& whole);
bool wav_has_format(const ByteView& whole);
bool mp3_has_frames(const ByteView& whole);

}  // namespace attache::inputs
