// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <attache/input_kind.hpp>

namespace attache::inputs {

/// What the first bytes show. Only formats with a marker of their own.
enum class Format {
  unknown,
  png,
  jpeg,
  gif,
  webp,
  bmp,
  tiff,
  heic,
  heif,
  avif,
  mp4,
  m4a,
  quicktime,
  quicktime_atoms,  ///< without the `ftyp` box, as old writers did
  pdf,
  zip,
  wav,
  id3,        ///< a tag that stands before MP3 frames, now and then before others
  mp3_frame,  ///< eleven set bits and plausible fields: weak
  aac_frame,  ///< weak
  ogg,
  flac,
  aiff,
  matroska,
};

Format detect(std::span<const std::byte> prefix) noexcept;

/// The media type that a format stands for in an input of this kind; empty: the format alone does not tell.
std::string_view media_type_of(Format format, input::Kind kind) noexcept;

/// Whether content of this format may go under this type: a type with a marker needs it, another type is only
/// contradicted by a marker that cannot be chance, and text by nothing.
bool contradicts(std::string_view media_type, Format format) noexcept;

/// Whether the type is one of this format, so that its content checks apply.
bool stands_for(std::string_view media_type, Format format) noexcept;

}  // namespace attache::inputs
