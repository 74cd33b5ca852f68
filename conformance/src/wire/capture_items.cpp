// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

#include "wire/dialect_match.hpp"

namespace attache::conformance {
namespace {

/// Decodes a value that stayed in the frame.
void decode_inline(std::string_view value, CapturedItem& item) {
  std::string out(value.size() / 4 * 3 + 3, '\0');
  sdk::Base64Decoder decoder;
  std::size_t written = 0;
  item.well_encoded = decoder.update(value, reinterpret_cast<std::uint8_t*>(out.data()), written) && decoder.finish();
  if (item.well_encoded) {
    item.size = written;
    item.sha256 = sdk::sha256(std::string_view(out.data(), written));
  }
}

void read_base64(const std::string& value, const sdk::LongString* large, CapturedItem& item) {
  if (large == nullptr) {
    decode_inline(value, item);
  } else if (large->is_base64 && large->media_type.empty()) {
    item.well_encoded = true;
    item.size = large->decoded_size;
    item.sha256 = large->decoded_sha256;
  }
}

void read_data_url(const std::string& value, const sdk::LongString* large, CapturedItem& item) {
  if (large != nullptr) {
    item.well_encoded = large->is_base64 && !large->media_type.empty();
    if (item.well_encoded) {
      item.media_type = large->media_type;
      item.size = large->decoded_size;
      item.sha256 = large->decoded_sha256;
    }
    return;
  }
  constexpr std::string_view before = "data:";
  constexpr std::string_view after = ";base64,";
  const std::size_t end = value.find(after);
  if (value.compare(0, before.size(), before) != 0 || end == std::string::npos || end == before.size()) {
    return;
  }
  item.media_type = value.substr(before.size(), end - before.size());
  decode_inline(std::string_view(value).substr(end + after.size()), item);
}

void read_text(const std::string& value, const sdk::LongString* large, CapturedItem& item) {
  item.well_encoded = true;
  item.size = large != nullptr ? large->length : value.size();
  item.sha256 = large != nullptr ? large->sha256 : sdk::sha256(value);
}

Json shape_of(const Json& value, const sdk::Frame& frame) {
  if (value.is_structured()) {
    Json out = value;
    for (auto& member : out.items()) {
      member.value() = shape_of(member.value(), frame);
    }
    return out;
  }
  if (!value.is_string()) {
    return value;
  }
  const auto& text = value.get_ref<const std::string&>();
  const sdk::LongString* large = frame.find(text);
  const std::uint64_t length = large != nullptr ? large->length : text.size();
  return length > 64 ? Json(fmt::format("<{} bytes>", length)) : value;
}

std::string string_at(const Json& block, const std::string& pointer) {
  if (pointer.empty()) {
    return {};
  }
  const Json* value = json_at(block, pointer);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

CapturedItem read_block(const Json& block, const BlockRule& rule, const sdk::Frame& frame) {
  CapturedItem item;
  item.type = CapturedItem::Type::block;
  item.rule = &rule;
  item.media_type = string_at(block, rule.media_type);
  item.label = string_at(block, rule.label);
  const Json* data = json_at(block, rule.data);
  if (data == nullptr || !data->is_string()) {
    return item;
  }
  const auto& value = data->get_ref<const std::string&>();
  const sdk::LongString* large = frame.find(value);
  if (rule.encoding == "base64") {
    read_base64(value, large, item);
  } else if (rule.encoding == "data_url") {
    read_data_url(value, large, item);
  } else if (rule.encoding == "reference") {
    const auto named = large == nullptr ? read_reference(value) : std::optional<ReferenceText>();
    item.well_encoded = named.has_value();
    item.media_type = named ? named->media_type : std::string();
    item.text = named ? named->path : std::string();
  } else {
    read_text(value, large, item);
    if (rule.encoding != "text" && large == nullptr) {
      item.text = value;
    }
  }
  return item;
}

CapturedItem read_text_item(const Json& value, const sdk::Frame& frame) {
  CapturedItem item;
  if (!value.is_string()) {
    return item;
  }
  const auto& text = value.get_ref<const std::string&>();
  const sdk::LongString* large = frame.find(text);
  item.type = CapturedItem::Type::text;
  read_text(text, large, item);
  if (large == nullptr) {
    item.text = text;
  }
  return item;
}

CapturedItem read_item(const Json& element, const sdk::Frame& frame, const Dialect::Impl& dialect) {
  CapturedItem item;
  if (const BlockRule* rule = dialect.rule_of(element); rule != nullptr) {
    item = read_block(element, *rule, frame);
  } else if (json_contains(element, dialect.text.get())) {
    const Json* text = json_at(element, dialect.text_data);
    item = text != nullptr ? read_text_item(*text, frame) : CapturedItem{};
  }
  item.shape = shape_of(element, frame).dump();
  return item;
}

}  // namespace

std::vector<TurnPlace> turns_of(const Json& frame, const Dialect::Impl& dialect) {
  const TurnRule& rule = dialect.turn;
  std::vector<TurnPlace> places;
  if (!json_contains(frame, rule.frame.get())) {
    return places;
  }
  const Json* messages = rule.messages.empty() ? nullptr : json_at(frame, rule.messages);
  if (rule.messages.empty()) {
    places.push_back({rule.content, json_at(frame, rule.content)});
  } else if (messages != nullptr && messages->is_array()) {
    for (std::size_t i = 0; i < messages->size(); ++i) {
      if (json_contains((*messages)[i], rule.message.get())) {
        places.push_back(
            {rule.messages + "/" + std::to_string(i) + rule.content, json_at((*messages)[i], rule.content)});
      }
    }
    if (rule.last_only && places.size() > 1) {
      places.erase(places.begin(), places.end() - 1);
    }
  }
  return places;
}

CapturedTurn read_turn_items(const Json& content, const sdk::Frame& frame, const Dialect::Impl& dialect) {
  CapturedTurn turn;
  if (content.is_string()) {
    turn.items.push_back(read_text_item(content, frame));
    turn.items.back().shape = shape_of(content, frame).dump();
  } else if (content.is_array()) {
    for (const Json& element : content) {
      turn.items.push_back(read_item(element, frame, dialect));
    }
  }
  return turn;
}

}  // namespace attache::conformance
