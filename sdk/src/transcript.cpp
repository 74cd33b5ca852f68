// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <nlohmann/json.hpp>

#include <attache/sdk/json_access.hpp>
#include <attache/sdk/shown.hpp>
#include <attache/sdk/transcript.hpp>

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDataUrl = "data:";

std::string note(const std::string& text, std::string_view what) {
  return removed_note(text.size(), sha256(text), what);
}

void strip(Json& value, const Frame& frame) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (const LongString* string = frame.find(text)) {
      value = removed_note(*string);
    } else if (std::string_view(text).substr(0, kDataUrl.size()) == kDataUrl) {
      value = note(text, "a data URL");
    }
    return;
  }
  if (!value.is_structured()) return;
  const bool media = value.is_object() && value.contains("mimeType");
  for (const auto& member : value.items()) {
    Json& inner = member.value();
    strip(inner, frame);
    if (media && (member.key() == "data" || member.key() == "blob") && inner.is_string()) {
      if (const auto& text = inner.get_ref<const std::string&>(); text.rfind("[removed: ", 0) != 0) {
        inner = note(text, "base64");
      }
    }
  }
}

}  // namespace

std::string without_media(const std::string& json, const Frame& frame) {
  std::optional<Json> out = parse_json<Json>(json);
  if (!out) return {};
  strip(*out, frame);
  return out->dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attache::sdk
