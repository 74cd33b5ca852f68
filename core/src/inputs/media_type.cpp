// SPDX-License-Identifier: Apache-2.0
#include "inputs/media_type.hpp"

#include <algorithm>

namespace attache::inputs {
namespace {

struct Pair {
  std::string_view from, to;
};

constexpr Pair aliases[] = {
    {"image/jpg", "image/jpeg"},
    {"image/pjpeg", "image/jpeg"},
    {"image/x-png", "image/png"},
    {"image/x-bmp", "image/bmp"},
    {"image/x-ms-bmp", "image/bmp"},
    {"image/tif", "image/tiff"},
    {"image/x-tiff", "image/tiff"},
    {"image/svg", "image/svg+xml"},
    {"application/x-pdf", "application/pdf"},
    {"application/x-zip", "application/zip"},
    {"application/x-zip-compressed", "application/zip"},
    {"application/x-json", "application/json"},
    {"text/x-markdown", "text/markdown"},
    {"audio/mp3", "audio/mpeg"},
    {"audio/x-mp3", "audio/mpeg"},
    {"audio/mpeg3", "audio/mpeg"},
    {"audio/x-mpeg", "audio/mpeg"},
    {"audio/wave", "audio/wav"},
    {"audio/x-wav", "audio/wav"},
    {"audio/x-pn-wav", "audio/wav"},
    {"audio/vnd.wave", "audio/wav"},
    {"audio/m4a", "audio/mp4"},
    {"audio/x-m4a", "audio/mp4"},
    {"audio/x-flac", "audio/flac"},
    {"audio/x-aac", "audio/aac"},
    {"audio/x-aiff", "audio/aiff"},
    {"video/x-m4v", "video/mp4"},
};

/// The first entry of a type gives the extension of its copies.
constexpr Pair extensions[] = {
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".jpeg", "image/jpeg"},
    {".jpe", "image/jpeg"},
    {".gif", "image/gif"},
    {".webp", "image/webp"},
    {".bmp", "image/bmp"},
    {".tiff", "image/tiff"},
    {".tif", "image/tiff"},
    {".heic", "image/heic"},
    {".heif", "image/heif"},
    {".avif", "image/avif"},
    {".svg", "image/svg+xml"},
    {".pdf", "application/pdf"},
    {".txt", "text/plain"},
    {".text", "text/plain"},
    {".log", "text/plain"},
    {".md", "text/markdown"},
    {".markdown", "text/markdown"},
    {".csv", "text/csv"},
    {".html", "text/html"},
    {".htm", "text/html"},
    {".json", "application/json"},
    {".xml", "application/xml"},
    {".yaml", "application/yaml"},
    {".yml", "application/yaml"},
    {".rtf", "application/rtf"},
    {".zip", "application/zip"},
    {".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {".pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {".odt", "application/vnd.oasis.opendocument.text"},
    {".ods", "application/vnd.oasis.opendocument.spreadsheet"},
    {".odp", "application/vnd.oasis.opendocument.presentation"},
    {".epub", "application/epub+zip"},
    {".doc", "application/msword"},
    {".xls", "application/vnd.ms-excel"},
    {".ppt", "application/vnd.ms-powerpoint"},
    {".wav", "audio/wav"},
    {".mp3", "audio/mpeg"},
    {".m4a", "audio/mp4"},
    {".ogg", "audio/ogg"},
    {".oga", "audio/ogg"},
    {".opus", "audio/ogg"},
    {".flac", "audio/flac"},
    {".aac", "audio/aac"},
    {".aiff", "audio/aiff"},
    {".aif", "audio/aiff"},
    {".weba", "audio/webm"},
    {".mp4", "video/mp4"},
    {".m4v", "video/mp4"},
    {".mov", "video/quicktime"},
    {".ogv", "video/ogg"},
    {".webm", "video/webm"},
    {".mkv", "video/x-matroska"},
};

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A restricted name of RFC 6838, in lower case.
bool is_name(std::string_view text) noexcept {
  constexpr std::string_view marks = "!#$&-^_.+";
  constexpr std::size_t longest = 127;
  const auto alnum = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (text.empty() || text.size() > longest || !alnum(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return alnum(c) || marks.find(c) != std::string_view::npos; });
}

}  // namespace

std::optional<std::string> normalize_media_type(std::string_view declared) {
  const std::string type = lowered(trimmed(declared.substr(0, declared.find(';'))));
  if (trimmed(declared).empty() || type == "application/octet-stream") return std::string();
  const auto slash = type.find('/');
  if (slash == std::string::npos) return std::nullopt;
  if (!is_name(std::string_view(type).substr(0, slash)) || !is_name(std::string_view(type).substr(slash + 1))) {
    return std::nullopt;
  }
  for (const Pair& alias : aliases) {
    if (alias.from == type) return std::string(alias.to);
  }
  return type;
}

std::string_view media_type_of_name(std::string_view name) noexcept {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view extension = name.substr(dot);
  const auto same = [&](std::string_view known) {
    return std::equal(known.begin(), known.end(), extension.begin(), extension.end(),
                      [](char a, char b) { return a == lower(b); });
  };
  for (const Pair& pair : extensions) {
    if (same(pair.from)) return pair.to;
  }
  return {};
}

std::string_view extension_of(std::string_view media_type) noexcept {
  for (const Pair& pair : extensions) {
    if (pair.to == media_type) return pair.from;
  }
  return ".bin";
}

}  // namespace attache::inputs
