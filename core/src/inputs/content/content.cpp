// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

namespace attache::inputs {

bool has_pixel_size(Format format) noexcept {
  return format == Format::png || format == Format::jpeg || format == Format::gif || format == Format::webp ||
         format == Format::bmp;
}

std::optional<PixelSize> pixel_size(Format format, const ByteView& view) {
  switch (format) {
    case Format::png:
      return png_size(view);
    case Format::jpeg:
      return jpeg_size(view);
    case Format::gif:
      return gif_size(view);
    case Format::webp:
      return webp_size(view);
    case Format::bmp:
      return bmp_size(view);
    default:
      return std::nullopt;
  }
}

std::optional<ContentFault> check_content(Format format, const ByteView& whole) {
  if (has_pixel_size(format) && !pixel_size(format, whole)) {
    return ContentFault{"image_header_invalid", "its header does not say how large the image is"};
  }
  if (format == Format::pdf) return check_pdf(whole);
  if (format == Format::wav && !wav_has_format(whole)) {
    return ContentFault{"audio_header_invalid", "it has no format chunk"};
  }
  if ((format == Format::mp3_frame || format == Format::id3) && !mp3_has_frames(whole)) {
    return ContentFault{"audio_header_invalid", "it holds no MP3 frame"};
  }
  return std::nullopt;
}

}  // namespace attache::inputs
