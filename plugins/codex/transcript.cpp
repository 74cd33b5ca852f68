// SPDX-License-Identifier: Apache-2.0
#include "transcript.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/shown.hpp>

namespace attache::codex {
namespace {

constexpr std::string_view kDataUrl = "data:";
constexpr const char* kRemoved = "[removed: longer than a driver keeps]";

void strip(Json& value, const sdk::Frame& frame) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (const sdk::LongString* string = frame.find(text)) {
      value = sdk::removed_note(*string);
    } else if (std::string_view(text).substr(0, kDataUrl.size()) == kDataUrl) {
      value = sdk::removed_note(text.size(), sdk::sha256(text), "a data URL");
    }
  } else if (value.is_structured()) {
    for (Json& one : value) strip(one, frame);
  }
}

}  // namespace

std::string transcript_item(const Json& item, const sdk::Frame& frame) {
  Json out = item;
  strip(out, frame);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string text_of(const Json& content, const sdk::Frame& frame) {
  if (content.is_string()) {
    const auto& whole = content.get_ref<const std::string&>();
    return frame.find(whole) == nullptr ? whole : kRemoved;
  }
  std::string out;
  if (!content.is_array()) return out;
  for (const Json& part : content) out += text_of(member(part, "text"), frame);
  return out;
}

}  // namespace attache::codex
