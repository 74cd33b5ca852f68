// SPDX-License-Identifier: Apache-2.0
#include "transcript.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/shown.hpp>

namespace attache::claude {
namespace {

/// Members that carry a payload in every frame they occur in.
bool is_payload(std::string_view key) {
  return key == "data" || key == "base64";
}

void strip(Json& value, const sdk::Frame& frame) {
  if (value.is_string()) {
    if (const sdk::LongString* string = frame.find(value.get_ref<const std::string&>()))
      value = sdk::removed_note(*string);
  } else if (value.is_array()) {
    for (Json& one : value) strip(one, frame);
  } else if (value.is_object()) {
    for (auto& [key, one] : value.items()) {
      const bool payload = is_payload(key) && one.is_string();
      if (payload && frame.find(one.get_ref<const std::string&>()) == nullptr) {
        const auto& bytes = one.get_ref<const std::string&>();
        one = sdk::removed_note(bytes.size(), sdk::sha256(bytes), "text");
      } else {
        strip(one, frame);
      }
    }
  }
}

}  // namespace

std::string transcript_item(const Json& document, const sdk::Frame& frame) {
  Json item = document;
  strip(item, frame);
  return item.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attache::claude
