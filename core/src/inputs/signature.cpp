// SPDX-License-Identifier: Apache-2.0
#include "inputs/signature.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace attache::inputs {
namespace {

using Bytes = std::span<const std::byte>;

bool has(Bytes bytes, std::size_t offset, std::string_view marker) noexcept {
  if (bytes.size() < offset + marker.size()) return false;
  return std::equal(marker.begin(), marker.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char c, std::byte b) { return static_cast<unsigned char>(c) == std::to_integer<unsigned>(b); });
}

unsigned at(Bytes bytes, std::size_t offset) noexcept {
  return offset < bytes.size() ? std::to_integer<unsigned>(bytes[offset]) : 0u;
}

Format riff(Bytes bytes) noexcept {
  if (has(bytes, 8, "WEBP")) return Format::webp;
  return has(bytes, 8, "WAVE") ? Format::wav : Format::unknown;
}

Format brand(Bytes bytes, std::size_t offset) noexcept {
  for (const auto* name : {"heic", "heix", "heim", "heis", "hevc", "hevx"}) {
    if (has(bytes, offset, name)) return Format::heic;
  }
  if (has(bytes, offset, "avif") || has(bytes, offset, "avis")) return Format::avif;
  if (has(bytes, offset, "mif1") || has(bytes, offset, "msf1")) return Format::heif;
  if (has(bytes, offset, "M4A ") || has(bytes, offset, "M4B ")) return Format::m4a;
  return has(bytes, offset, "qt  ") ? Format::quicktime : Format::mp4;
}

Format iso_media(Bytes bytes) noexcept {
  const Format major = brand(bytes, 8);
  if (major != Format::heif) return major;
  const std::size_t box = (at(bytes, 0) << 24) | (at(bytes, 1) << 16) | (at(bytes, 2) << 8) | at(bytes, 3);
  const std::size_t end = std::min({box, bytes.size(), std::size_t{4096}});
  for (std::size_t offset = 16; offset + 4 <= end; offset += 4) {
    const Format compatible = brand(bytes, offset);
    if (compatible == Format::heic || compatible == Format::avif) return compatible;
  }
  return major;
}

bool is_bmp(Bytes bytes) noexcept {
  if (!has(bytes, 0, "BM") || bytes.size() < 18) return false;
  if (at(bytes, 15) != 0 || at(bytes, 16) != 0 || at(bytes, 17) != 0) return false;
  for (const unsigned header : {12u, 40u, 52u, 56u, 64u, 108u, 124u}) {
    if (at(bytes, 14) == header) return true;
  }
  return false;
}

Format audio_frame(Bytes bytes) noexcept {
  // Some encoders leave silence as zero bytes before the first frame.
  std::size_t start = 0;
  while (start < bytes.size() && at(bytes, start) == 0) ++start;
  if (bytes.size() < start + 4 || at(bytes, start) != 0xff) return Format::unknown;
  const unsigned second = at(bytes, start + 1), third = at(bytes, start + 2);
  if (start == 0 && (second & 0xf6u) == 0xf0u && ((third >> 2) & 0xfu) < 13) return Format::aac_frame;
  const bool sync = (second & 0xe0u) == 0xe0u, version = (second & 0x18u) != 0x08u, layer = (second & 0x06u) != 0;
  const bool rate = (third & 0xf0u) != 0xf0u && (third & 0x0cu) != 0x0cu;
  return sync && version && layer && rate ? Format::mp3_frame : Format::unknown;
}

bool is_old_quicktime(Bytes bytes) noexcept {
  for (const auto* atom : {"moov", "mdat", "wide", "free", "skip", "pnot"}) {
    if (has(bytes, 4, atom)) return true;
  }
  return false;
}

using namespace std::string_view_literals;

struct Rule {
  std::string_view media_type;
  bool required;  ///< one of the formats must be seen
  std::initializer_list<Format> formats;
};

const Rule rules[] = {
    {"image/png", true, {Format::png}},
    {"image/jpeg", true, {Format::jpeg}},
    {"image/gif", true, {Format::gif}},
    {"image/webp", true, {Format::webp}},
    {"image/bmp", true, {Format::bmp}},
    {"image/tiff", true, {Format::tiff}},
    {"image/heic", true, {Format::heic, Format::heif}},
    {"image/heif", true, {Format::heic, Format::heif, Format::avif}},
    {"image/avif", true, {Format::avif}},
    {"image/svg+xml", false, {}},
    {"application/pdf", true, {Format::pdf}},
    {"application/zip", false, {Format::zip}},
    {"application/epub+zip", false, {Format::zip}},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", false, {Format::zip}},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", false, {Format::zip}},
    {"application/vnd.openxmlformats-officedocument.presentationml.presentation", false, {Format::zip}},
    {"application/vnd.oasis.opendocument.text", false, {Format::zip}},
    {"application/vnd.oasis.opendocument.spreadsheet", false, {Format::zip}},
    {"application/vnd.oasis.opendocument.presentation", false, {Format::zip}},
    {"audio/wav", true, {Format::wav}},
    {"audio/mpeg", true, {Format::mp3_frame, Format::id3}},
    {"audio/aac", true, {Format::aac_frame, Format::id3}},
    {"audio/flac", true, {Format::flac, Format::ogg, Format::id3}},
    {"audio/aiff", true, {Format::aiff}},
    {"audio/ogg", true, {Format::ogg}},
    {"audio/opus", true, {Format::ogg}},
    {"video/ogg", true, {Format::ogg}},
    {"audio/mp4", true, {Format::mp4, Format::m4a, Format::quicktime}},
    {"video/mp4", true, {Format::mp4, Format::m4a, Format::quicktime}},
    {"video/quicktime", true, {Format::mp4, Format::quicktime, Format::quicktime_atoms}},
    {"audio/webm", true, {Format::matroska}},
    {"video/webm", true, {Format::matroska}},
    {"audio/x-matroska", true, {Format::matroska}},
    {"video/x-matroska", true, {Format::matroska}},
};

const Rule* rule_of(std::string_view media_type) noexcept {
  const auto* const found =
      std::find_if(std::begin(rules), std::end(rules), [&](const Rule& rule) { return rule.media_type == media_type; });
  return found == std::end(rules) ? nullptr : found;
}

bool is_weak(Format format) noexcept {
  return format == Format::unknown || format == Format::mp3_frame || format == Format::aac_frame ||
         format == Format::bmp || format == Format::quicktime_atoms;
}

}  // namespace

Format detect(Bytes bytes) noexcept {
  if (has(bytes, 0, "\x89PNG\r\n\x1a\n"sv)) return Format::png;
  if (has(bytes, 0, "\xff\xd8\xff"sv)) return Format::jpeg;
  if (has(bytes, 0, "GIF87a") || has(bytes, 0, "GIF89a")) return Format::gif;
  if (has(bytes, 0, "RIFF")) return riff(bytes);
  if (has(bytes, 0, "II*\0"sv) || has(bytes, 0, "MM\0*"sv) || has(bytes, 0, "II+\0"sv) || has(bytes, 0, "MM\0+"sv)) {
    return Format::tiff;
  }
  if (has(bytes, 4, "ftyp")) return iso_media(bytes);
  if (has(bytes, 0, "%PDF-")) return Format::pdf;
  if (has(bytes, 0, "PK\3\4") || has(bytes, 0, "PK\5\6")) return Format::zip;
  if (has(bytes, 0, "ID3")) return Format::id3;
  if (has(bytes, 0, "OggS")) return Format::ogg;
  if (has(bytes, 0, "fLaC")) return Format::flac;
  if (has(bytes, 0, "FORM") && (has(bytes, 8, "AIFF") || has(bytes, 8, "AIFC"))) return Format::aiff;
  if (has(bytes, 0, "\x1a\x45\xdf\xa3"sv)) return Format::matroska;
  if (is_bmp(bytes)) return Format::bmp;
  return is_old_quicktime(bytes) ? Format::quicktime_atoms : audio_frame(bytes);
}

std::string_view media_type_of(Format format, input::Kind kind) noexcept {
  const bool audio = kind == input::Kind::audio;
  switch (format) {
    case Format::png:
      return "image/png";
    case Format::jpeg:
      return "image/jpeg";
    case Format::gif:
      return "image/gif";
    case Format::webp:
      return "image/webp";
    case Format::bmp:
      return "image/bmp";
    case Format::tiff:
      return "image/tiff";
    case Format::heic:
      return "image/heic";
    case Format::heif:
      return "image/heif";
    case Format::avif:
      return "image/avif";
    case Format::mp4:
      return audio ? "audio/mp4" : "video/mp4";
    case Format::m4a:
      return kind == input::Kind::video ? "video/mp4" : "audio/mp4";
    case Format::quicktime:
      return audio ? "audio/mp4" : "video/quicktime";
    case Format::pdf:
      return "application/pdf";
    case Format::wav:
      return "audio/wav";
    case Format::flac:
      return "audio/flac";
    case Format::aiff:
      return "audio/aiff";
    case Format::ogg:
      return kind == input::Kind::video ? "video/ogg" : "audio/ogg";
    case Format::matroska:
      return audio ? "audio/webm" : "video/webm";
    case Format::id3:
      return "audio/mpeg";
    // Two bytes are too little to call a file of another kind sound.
    case Format::mp3_frame:
      return audio ? "audio/mpeg" : "";
    case Format::aac_frame:
      return audio ? "audio/aac" : "";
    case Format::quicktime_atoms:
      return kind == input::Kind::video ? "video/quicktime" : "";
    // The name says which of the many formats on top of ZIP it is.
    case Format::zip:
    case Format::unknown:
      break;
  }
  return {};
}

bool stands_for(std::string_view media_type, Format format) noexcept {
  const Rule* rule = rule_of(media_type);
  return rule != nullptr && std::find(rule->formats.begin(), rule->formats.end(), format) != rule->formats.end();
}

bool contradicts(std::string_view media_type, Format format) noexcept {
  const Rule* rule = rule_of(media_type);
  if (rule == nullptr || stands_for(media_type, format)) return false;
  return rule->required || !is_weak(format);
}

}  // namespace attache::inputs
