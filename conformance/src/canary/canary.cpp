// SPDX-License-Identifier: Apache-2.0
#include "canary/canary.hpp"

#include <array>
#include <cstring>
#include <stdexcept>

#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

struct Maker {
  input::Kind kind;
  std::string_view media_type;
  std::string_view extension;
  void (*make)(CanaryJob&);
  bool text = false;
};

constexpr std::array makers{
    Maker{input::Kind::image, "image/png", "png", make_png},
    Maker{input::Kind::image, "image/jpeg", "jpg", make_jpeg},
    Maker{input::Kind::image, "image/gif", "gif", make_gif},
    Maker{input::Kind::image, "image/webp", "webp", make_webp},
    Maker{input::Kind::image, "image/bmp", "bmp", make_bmp},
    Maker{input::Kind::image, "image/tiff", "tiff", make_tiff},
    Maker{input::Kind::image, "image/heic", "heic", make_heic},
    Maker{input::Kind::file, "application/pdf", "pdf", make_pdf},
    Maker{input::Kind::file, "text/plain", "txt", make_plain, true},
    Maker{input::Kind::file, "text/csv", "csv", make_csv, true},
    Maker{input::Kind::file, "text/markdown", "md", make_markdown, true},
    Maker{input::Kind::file, "text/html", "html", make_html, true},
    Maker{input::Kind::file, "application/json", "json", make_json, true},
    Maker{input::Kind::audio, "audio/wav", "wav", make_wav},
    Maker{input::Kind::audio, "audio/mpeg", "mp3", make_mp3},
    Maker{input::Kind::audio, "audio/ogg", "ogg", make_ogg},
    Maker{input::Kind::audio, "audio/mp4", "m4a", make_m4a},
    Maker{input::Kind::audio, "audio/webm", "weba", make_webm},
    Maker{input::Kind::audio, "audio/flac", "flac", make_flac},
    Maker{input::Kind::video, "video/mp4", "mp4", make_mp4},
    Maker{input::Kind::video, "video/quicktime", "mov", make_mov},
    Maker{input::Kind::video, "video/webm", "webm", make_webm},
};

std::string hex(std::string_view bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    out.push_back(digits[value >> 4u]);
    out.push_back(digits[value & 15u]);
  }
  return out;
}

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15ull;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30u)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27u)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31u);
}

std::string Random::bytes(std::size_t count) {
  std::string out(count, '\0');
  for (std::size_t at = 0; at < count; at += 8) {
    const std::uint64_t value = next();
    std::memcpy(out.data() + at, &value, count - at < 8 ? count - at : 8);
  }
  return out;
}

std::vector<std::string> canary_types(input::Kind kind) {
  std::vector<std::string> types;
  for (const Maker& maker : makers) {
    if (maker.kind == kind) {
      types.emplace_back(maker.media_type);
    }
  }
  return types;
}

Canary make_canary(input::Kind kind, std::string_view media_type, std::uint64_t size, Random& random,
                   const std::filesystem::path& directory) {
  for (const Maker& maker : makers) {
    if (maker.kind != kind || maker.media_type != media_type) {
      continue;
    }
    Canary canary;
    canary.kind = kind;
    canary.media_type = media_type;
    canary.name = "canary-" + hex(random.bytes(8)) + "." + std::string(maker.extension);
    canary.path = directory / canary.name;
    canary.mark = maker.text ? hex(random.bytes(32)) : random.bytes(32);
    CanaryWriter out(canary.path);
    CanaryJob job{out, random, canary.mark, size};
    maker.make(job);
    canary.size = out.size();
    canary.sha256 = out.close();
    return canary;
  }
  throw std::invalid_argument("no canary of type " + std::string(media_type) + " for this kind");
}

}  // namespace attache::conformance
