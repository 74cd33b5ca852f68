// SPDX-License-Identifier: Apache-2.0
#include <attache/descriptor.hpp>

namespace attache {

namespace {

/// An empty list takes every type; "image/*" every image.
bool matches(const std::vector<std::string>& types, std::string_view media_type) noexcept {
  if (types.empty()) return true;
  for (const std::string_view pattern : types) {
    if (pattern == media_type) return true;
    if (!pattern.ends_with("/*")) continue;
    const std::string_view prefix = pattern.substr(0, pattern.size() - 1);
    if (media_type.size() > prefix.size() && media_type.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

bool ModeCapability::takes(std::string_view media_type) const noexcept {
  return matches(media_types, media_type);
}

bool ExactBounds::keeps(std::string_view media_type) const noexcept {
  return matches(media_types, media_type);
}

KindCapability& InputCapabilities::of(input::Kind kind) noexcept {
  switch (kind) {
    case input::Kind::image:
      return image;
    case input::Kind::audio:
      return audio;
    case input::Kind::video:
      return video;
    case input::Kind::file:
      break;
  }
  return file;
}

const KindCapability& InputCapabilities::of(input::Kind kind) const noexcept {
  switch (kind) {
    case input::Kind::image:
      return image;
    case input::Kind::audio:
      return audio;
    case input::Kind::video:
      return video;
    case input::Kind::file:
      break;
  }
  return file;
}

}  // namespace attache
