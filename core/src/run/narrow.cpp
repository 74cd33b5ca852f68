// SPDX-License-Identifier: Apache-2.0
#include "run/narrow.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attache::run {
namespace {

using Limit = std::optional<std::uint64_t>;

/// False: `part` is the larger one.
bool narrow_limit(const Limit& whole, Limit& part) {
  if (!part.has_value()) {
    part = whole;
  }
  return !whole.has_value() || *part <= *whole;
}

/// A pattern or type of `part` that `whole` takes too.
bool covered(const std::vector<std::string>& whole, std::string_view type) {
  if (whole.empty()) {
    return true;
  }
  if (std::find(whole.begin(), whole.end(), type) != whole.end()) {
    return true;
  }
  ModeCapability all;
  all.media_types = whole;
  const bool pattern = type.size() > 2 && type.substr(type.size() - 2) == "/*";
  return !pattern && all.takes(type);
}

/// False: `part` has a type that is not in `whole`.
bool narrow_types(const std::vector<std::string>& whole, std::vector<std::string>& part) {
  if (part.empty()) {
    part = whole;
  }
  return std::all_of(part.begin(), part.end(), [&](const std::string& type) { return covered(whole, type); });
}

bool narrow_exact(const std::optional<ExactBounds>& whole, std::optional<ExactBounds>& part) {
  if (!part.has_value() || !whole.has_value()) {
    const bool claims_more = part.has_value() && !whole.has_value() && !part->never;
    part = part.has_value() ? part : whole;
    return !claims_more;
  }
  const bool smaller = narrow_limit(whole->max_bytes, part->max_bytes) &&
                       narrow_limit(whole->max_side_px, part->max_side_px) &&
                       narrow_limit(whole->max_patches, part->max_patches);
  part->patch_px = part->patch_px.has_value() ? part->patch_px : whole->patch_px;
  return smaller && narrow_types(whole->media_types, part->media_types) && (part->never || !whole->never) &&
         part->patch_px == (whole->patch_px ? whole->patch_px : part->patch_px);
}

bool narrow_mode(const ModeCapability& whole, ModeCapability& part) {
  const bool types = narrow_types(whole.media_types, part.media_types);
  part.encoding = whole.encoding;
  part.needs_inspection = part.needs_inspection || whole.needs_inspection;
  return types && narrow_limit(whole.max_count, part.max_count) && narrow_limit(whole.max_bytes, part.max_bytes) &&
         narrow_limit(whole.max_encoded_bytes, part.max_encoded_bytes) &&
         narrow_limit(whole.max_side_px, part.max_side_px) && narrow_exact(whole.exact, part.exact);
}

bool narrow_kind(const KindCapability& whole, KindCapability& part) {
  if (part.alternative.empty()) {
    part.alternative = whole.alternative;
  }
  for (ModeCapability& mode : part.modes) {
    const auto same = std::find_if(whole.modes.begin(), whole.modes.end(),
                                   [&](const ModeCapability& other) { return other.mode == mode.mode; });
    if (same == whole.modes.end() || !narrow_mode(*same, mode)) {
      return false;
    }
  }
  return true;
}

bool narrow_limits(const SetLimits& whole, SetLimits& part) {
  if (!part.many_images.has_value()) {
    part.many_images = whole.many_images;
  }
  const bool images =
      !whole.many_images.has_value() || (part.many_images->above <= whole.many_images->above &&
                                         part.many_images->max_side_px <= whole.many_images->max_side_px);
  return images && narrow_limit(whole.max_count, part.max_count) &&
         narrow_limit(whole.max_total_bytes, part.max_total_bytes) &&
         narrow_limit(whole.max_total_encoded_bytes, part.max_total_encoded_bytes);
}

}  // namespace

std::optional<InputCapabilities> narrow(const InputCapabilities& whole, const InputCapabilities& part,
                                        std::string& fault) {
  InputCapabilities out = part;
  for (const auto kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    if (!narrow_kind(whole.of(kind), out.of(kind))) {
      fault = input::to_string(kind);
      return std::nullopt;
    }
  }
  if (!narrow_limits(whole.limits, out.limits)) {
    fault = "limits";
    return std::nullopt;
  }
  return out;
}

}  // namespace attache::run
