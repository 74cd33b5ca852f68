// SPDX-License-Identifier: Apache-2.0
// Frames of a CLI that speaks stream-json, as items of the transcript. Templates like those of json_access.hpp.
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/json_access.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>
#include <attache/sdk/shown.hpp>

namespace attache::sdk {

/// What stands in a tool's result for a text that was too long to keep. \since 0.2
inline constexpr const char* kStreamJsonRemoved = "[removed: longer than a driver keeps]";

namespace detail {

/// `data` and `base64` carry a payload in every frame they occur in.
template <class Json>
void strip_stream_json(Json& value, const Frame& frame) {
  if (value.is_string()) {
    const LongString* const string = frame.find(value.template get_ref<const std::string&>());
    if (string != nullptr) value = removed_note(*string);
  } else if (value.is_array()) {
    for (Json& one : value) strip_stream_json(one, frame);
  } else if (value.is_object()) {
    for (auto& [key, one] : value.items()) {
      const bool payload = (key == "data" || key == "base64") && one.is_string();
      if (payload && frame.find(one.template get_ref<const std::string&>()) == nullptr) {
        const auto& bytes = one.template get_ref<const std::string&>();
        one = removed_note(bytes.size(), sha256(bytes), "text");
      } else {
        strip_stream_json(one, frame);
      }
    }
  }
}

}  // namespace detail

/// The frame, or a part of it, as JSON text: every payload (the data of a source, and any string that was too long to
/// keep) is replaced by what is known of it. Any thread. \since 0.2
template <class Json>
std::string stream_json_transcript(const Json& document, const Frame& frame) {
  Json item = document;
  detail::strip_stream_json(item, frame);
  return item.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The text of a tool's result, without its media. Any thread. \since 0.2
template <class Json>
std::string stream_json_text(const Json& content, const Frame& frame) {
  const auto kept = [&](std::string whole) {
    return frame.find(whole) == nullptr ? std::move(whole) : std::string(kStreamJsonRemoved);
  };
  if (content.is_string()) return kept(content.template get<std::string>());
  std::string out;
  if (!content.is_array()) return out;
  for (const Json& block : content) out += kept(text(block, "text"));
  return out;
}

}  // namespace attache::sdk
