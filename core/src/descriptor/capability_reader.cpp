// SPDX-License-Identifier: Apache-2.0
#include "descriptor/capability_reader.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "descriptor/media_type.hpp"
#include "descriptor/object_reader.hpp"
#include "descriptor/strict_json.hpp"

namespace attache {
namespace {

using Json = nlohmann::ordered_json;
using Faults = std::vector<DescriptorFault>;
using json::ObjectReader;
using json::Presence;

constexpr std::size_t max_modes = 16;
constexpr std::size_t max_media_types = 128;
constexpr std::size_t max_media_type_bytes = 127;
constexpr std::size_t max_alternative_bytes = 200;
constexpr std::uint64_t max_pixels_of_side = 1'000'000;

bool has_pixels(input::Kind kind) {
  return kind == input::Kind::image || kind == input::Kind::video;
}

/// At most `owner`, where both are known.
void check_inside(ObjectReader& reader, std::string_view key, std::optional<std::uint64_t> bound,
                  std::optional<std::uint64_t> owner) {
  if (bound && owner && *bound > *owner) reader.fault(key, fmt::format("is above the mode's own {}", key));
}

/// Each must be a type that the mode takes.
void read_exact_types(ObjectReader& reader, const ModeCapability& mode, ExactBounds& out, Faults& faults) {
  out.media_types = reader.texts("media_types", max_media_types, max_media_type_bytes);
  for (std::size_t i = 0; i < out.media_types.size(); ++i) {
    const std::string_view type = out.media_types[i];
    const std::string pointer = json::child(reader.at("media_types"), i);
    if (!is_media_type_pattern(type)) {
      faults.push_back({pointer, "must be a lower-case type/subtype without parameters, or type/*"});
    } else if (!mode.media_types.empty() && !mode.takes(type)) {
      faults.push_back({pointer, "is not a type that the mode takes"});
    }
  }
}

ExactBounds read_exact(const Json& value, const std::string& pointer, const ModeCapability& mode, input::Kind kind,
                       Faults& faults) {
  ExactBounds out;
  if (value.is_boolean() && !value.get<bool>()) {
    out.never = true;
    return out;
  }
  if (!value.is_object()) {
    faults.push_back({pointer, "must be an object of bounds, or false"});
    return out;
  }
  ObjectReader reader(value, pointer, faults, {"media_types", "max_bytes", "max_side_px", "patch_px", "max_patches"});
  read_exact_types(reader, mode, out, faults);
  out.max_bytes = reader.number("max_bytes", Presence::optional, 1, json::max_safe_number);
  out.max_side_px = reader.number("max_side_px", Presence::optional, 1, max_pixels_of_side);
  out.patch_px = reader.number("patch_px", Presence::optional, 1, max_pixels_of_side);
  out.max_patches = reader.number("max_patches", Presence::optional, 1, json::max_safe_number);
  check_inside(reader, "max_bytes", out.max_bytes, mode.max_bytes);
  check_inside(reader, "max_side_px", out.max_side_px, mode.max_side_px);
  if (out.patch_px.has_value() != out.max_patches.has_value()) {
    faults.push_back({pointer, "patch_px and max_patches go together"});
  }
  if (out.max_side_px && !has_pixels(kind)) reader.fault("max_side_px", "only images and videos have sides");
  if (out.patch_px && !has_pixels(kind)) reader.fault("patch_px", "only images and videos have patches");
  return out;
}

void read_media_types(ObjectReader& reader, input::Kind kind, ModeCapability& out, Faults& faults) {
  out.media_types = reader.texts("media_types", max_media_types, max_media_type_bytes);
  for (std::size_t i = 0; i < out.media_types.size(); ++i) {
    const std::string_view type = out.media_types[i];
    const std::string pointer = json::child(reader.at("media_types"), i);
    if (!is_media_type_pattern(type)) {
      faults.push_back({pointer, "must be a lower-case type/subtype without parameters, or type/*"});
    } else if (!belongs_to(type, kind)) {
      faults.push_back({pointer, fmt::format("is not a type of the kind {}", input::to_string(kind))});
    }
  }
}

ModeCapability read_mode(const Json& value, const std::string& pointer, input::Kind kind, Faults& faults) {
  ModeCapability out;
  ObjectReader reader(value, pointer, faults,
                      {"mode", "media_types", "max_count", "max_bytes", "max_encoded_bytes", "max_side_px", "encoding",
                       "exact", "needs_inspection"});
  const std::string mode = reader.word("mode", Presence::required, {"native", "workspace_reference", "provider_url"});
  out.mode = mode == "workspace_reference" ? input::Mode::workspace_reference
             : mode == "provider_url"      ? input::Mode::provider_url
                                           : input::Mode::native;
  read_media_types(reader, kind, out, faults);
  out.max_count = reader.number("max_count", Presence::optional, 1, json::max_safe_number);
  out.max_bytes = reader.number("max_bytes", Presence::optional, 1, json::max_safe_number);
  out.max_encoded_bytes = reader.number("max_encoded_bytes", Presence::optional, 1, json::max_safe_number);
  out.max_side_px = reader.number("max_side_px", Presence::optional, 1, max_pixels_of_side);
  out.encoding = reader.word("encoding", Presence::optional, {"base64", "text", "none"});
  if (out.max_encoded_bytes && out.encoding.empty()) {
    reader.fault("max_encoded_bytes", "needs \"encoding\": without it the encoded size is not known");
  }
  if (out.encoding.empty()) out.encoding = "none";
  if (out.encoding != "none" && out.mode != input::Mode::native && !mode.empty()) {
    reader.fault("encoding", fmt::format("must be none: {} carries no bytes", mode));
  }
  if (out.max_side_px && !has_pixels(kind)) reader.fault("max_side_px", "only images and videos have sides");
  if (const Json* exact = reader.get("exact", Presence::optional); exact != nullptr) {
    out.exact = read_exact(*exact, reader.at("exact"), out, kind, faults);
  }
  out.needs_inspection = reader.flag("needs_inspection");
  return out;
}

KindCapability read_kind(const Json& value, const std::string& pointer, input::Kind kind, Faults& faults) {
  KindCapability out;
  ObjectReader reader(value, pointer, faults, {"modes", "alternative"});
  out.alternative = reader.text("alternative", Presence::optional, max_alternative_bytes);
  const Json* modes = reader.get("modes", Presence::required);
  if (modes == nullptr) return out;
  if (!modes->is_array() || modes->size() > max_modes) {
    reader.fault("modes", "must be an array of modes");
    return out;
  }
  std::set<input::Mode> seen;
  for (std::size_t i = 0; i < modes->size(); ++i) {
    const std::string place = json::child(reader.at("modes"), i);
    out.modes.push_back(read_mode((*modes)[i], place, kind, faults));
    if (!seen.insert(out.modes.back().mode).second) {
      faults.push_back({json::child(place, "mode"), "each mode may stand once in a kind"});
    }
  }
  return out;
}

}  // namespace

void read_inputs(const Json& value, const std::string& pointer, InputCapabilities& out, Faults& faults) {
  ObjectReader reader(value, pointer, faults, {"image", "file", "audio", "video"});
  constexpr std::array kinds{input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video};
  for (const input::Kind kind : kinds) {
    const std::string_view word = input::to_string(kind);
    const Json* found = reader.get(word, Presence::required);
    if (found != nullptr) out.of(kind) = read_kind(*found, reader.at(word), kind, faults);
  }
}

void read_limits(const Json& value, const std::string& pointer, SetLimits& out, Faults& faults) {
  ObjectReader reader(value, pointer, faults,
                      {"max_count", "max_total_bytes", "max_total_encoded_bytes", "many_images"});
  out.max_count = reader.number("max_count", Presence::optional, 1, json::max_safe_number);
  out.max_total_bytes = reader.number("max_total_bytes", Presence::optional, 1, json::max_safe_number);
  out.max_total_encoded_bytes = reader.number("max_total_encoded_bytes", Presence::optional, 1, json::max_safe_number);
  const Json* many = reader.get("many_images", Presence::optional);
  if (many == nullptr) return;
  ObjectReader rule(*many, reader.at("many_images"), faults, {"above", "max_side_px"});
  const auto above = rule.number("above", Presence::required, 1, json::max_safe_number);
  const auto side = rule.number("max_side_px", Presence::required, 1, max_pixels_of_side);
  if (above && side) out.many_images = SetLimits::ManyImages{*above, *side};
}

CapabilitiesParse parse_capabilities(std::string_view text, const Descriptor& descriptor) {
  CapabilitiesParse out;
  Json document;
  if (!json::parse_strict(text, 65536, document, out.faults)) return out;
  InputCapabilities capabilities;
  capabilities.limits = descriptor.inputs.limits;
  ObjectReader reader(document, "", out.faults, {"inputs", "limits"});
  if (const Json* inputs = reader.get("inputs", Presence::required); inputs != nullptr) {
    read_inputs(*inputs, "/inputs", capabilities, out.faults);
  }
  if (const Json* limits = reader.get("limits", Presence::optional); limits != nullptr) {
    capabilities.limits = SetLimits{};
    read_limits(*limits, "/limits", capabilities.limits, out.faults);
  }
  if (out.faults.empty()) out.capabilities = std::move(capabilities);
  return out;
}

}  // namespace attache
