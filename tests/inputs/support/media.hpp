// SPDX-License-Identifier: Apache-2.0
// The smallest files of each format, as the field cases describe them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attache::testing {

std::string png(std::uint32_t width, std::uint32_t height, std::string_view mark = {});
/// A 1x1 PNG of exactly `size` bytes.
std::string png_padded(std::size_t size);
/// `before` bytes of metadata segments stand before the frame header.
std::string jpeg(std::uint16_t width, std::uint16_t height, std::size_t before = 0);
std::string gif(std::uint16_t width, std::uint16_t height, int frames = 1);
std::string bmp(std::int32_t width, std::int32_t height);
std::string tiff();
std::string webp_lossless(std::uint32_t width, std::uint32_t height);
std::string webp_extended(std::uint32_t width, std::uint32_t height);
std::string webp_lossy(std::uint16_t width, std::uint16_t height);
std::string iso_media(std::string_view brand, std::string_view compatible = {});
std::string wav();
std::string mp3();
std::string ogg_opus();
std::string docx();
/// `trailer_extra` goes into the trailer, `stream` into a content stream.
std::string pdf(std::string_view trailer_extra = {}, std::string_view stream = {});
/// With a cross-reference stream in place of a table.
std::string pdf_with_reference_stream(std::string_view trailer_extra = {});
/// With `entries` entries in the cross-reference table.
std::string pdf_with_long_table(std::size_t entries, std::string_view trailer_extra = {});
std::string html();
std::string svg();

}  // namespace attache::testing
