// SPDX-License-Identifier: Apache-2.0
#include "transcript.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/transcript.hpp>

namespace attache::codex {
namespace {

constexpr const char* kRemoved = "[removed: longer than a driver keeps]";

}  // namespace

std::string transcript_item(const Json& item, const sdk::Frame& frame) {
  return sdk::without_media(item.dump(-1, ' ', false, Json::error_handler_t::replace), frame);
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
