// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>

#include "descriptor/strict_json.hpp"
#include "history/rules.hpp"
#include "history/words.hpp"

namespace attache {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(std::string_view sentence, const std::string& place) {
  history::refuse({"history_malformed", sentence}, place, std::nullopt);
}

template <class Value, std::size_t N>
Value value_of(const std::pair<Value, std::string_view> (&words)[N], const Json& object, const char* key,
               std::string_view sentence, const std::string& place) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string()) fail(sentence, place);
  const std::string& text = at->get_ref<const std::string&>();
  const auto found =
      std::find_if(std::begin(words), std::end(words), [&](const auto& one) { return one.second == text; });
  if (found == std::end(words)) fail(sentence, place);
  return found->first;
}

/// nullptr: there is none.
std::string* string_in(Json& object, const char* key, std::string_view sentence, const std::string& place) {
  const auto at = object.find(key);
  if (at == object.end()) return nullptr;
  if (!at->is_string()) fail(sentence, place);
  return &at->get_ref<std::string&>();
}

std::vector<std::byte> bytes_of(const std::string& text, const std::string& place) {
  std::vector<std::byte> bytes(text.size() / 4 * 3 + 3);
  sdk::Base64Decoder decoder;
  std::size_t written = 0;
  if (!decoder.update(text, reinterpret_cast<std::uint8_t*>(bytes.data()), written) || !decoder.finish()) {
    fail("\"data\" is not padded base64", place);
  }
  bytes.resize(written);
  return bytes;
}

unsigned hex_value(char digit, const std::string& place) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t value = digits.find(digit);
  if (value == std::string_view::npos) fail("\"sha256\" is not 64 lower-case hex digits", place);
  return static_cast<unsigned>(value);
}

ContentReference reference_of(const std::string& hex, const Json& object, const std::string& place) {
  ContentReference reference;
  if (hex.size() != reference.sha256.size() * 2) fail("\"sha256\" is not 64 lower-case hex digits", place);
  for (std::size_t i = 0; i < reference.sha256.size(); ++i) {
    const unsigned value = hex_value(hex[2 * i], place) << 4 | hex_value(hex[2 * i + 1], place);
    reference.sha256[i] = static_cast<std::uint8_t>(value);
  }
  const auto size = object.find("size");
  if (size == object.end() || !size->is_number_unsigned()) fail("\"sha256\" needs a whole \"size\" with it", place);
  reference.size = size->get<std::uint64_t>();
  return reference;
}

Part part_of(Json& object, const std::string& place) {
  if (!object.is_object()) fail("a part is no object", place);
  Part part;
  part.kind = value_of(history::kKinds, object, "kind", "\"kind\" is none of image, document, audio, video", place);
  if (std::string* url = string_in(object, "url", "\"url\" is no string", place)) part.url = std::move(*url);
  if (std::string* data = string_in(object, "data", "\"data\" is no string", place)) {
    part.data = bytes_of(*data, place);
    *data = {};  // of the two copies only one is needed from here on
  }
  if (std::string* type = string_in(object, "mediaType", "\"mediaType\" is no string", place)) {
    part.media_type = std::move(*type);
  }
  if (const std::string* hex = string_in(object, "sha256", "\"sha256\" is no string", place)) {
    part.reference = reference_of(*hex, object, place);
  }
  return part;
}

Message message_of(Json& object, std::size_t place) {
  const std::string here = history::place_of(place);
  if (!object.is_object()) fail("a message is no object", here);
  Message message;
  message.role = value_of(history::kRoles, object, "role", "\"role\" is none of user, assistant, system, tool", here);
  std::string* const text = string_in(object, "content", "\"content\" is no string", here);
  if (text == nullptr) fail("there is no \"content\"", here);
  message.text = std::move(*text);
  if (const auto parts = object.find("parts"); parts != object.end()) {
    if (!parts->is_array()) fail("\"parts\" is no array", here);
    for (Json& part : *parts) {
      message.parts.push_back(part_of(part, history::place_of(place, message.parts.size() + 1)));
    }
  }
  history::check(message, place);
  for (Part& part : message.parts) part.media_type = history::media_type_of(part);
  return message;
}

}  // namespace

std::vector<Message> messages_from_json(std::string_view json) {
  Json document;
  std::vector<DescriptorFault> faults;
  if (!json::parse_strict(json, std::numeric_limits<std::size_t>::max(), document, faults)) {
    fail("the history is not JSON in strict UTF-8", {});
  }
  if (!document.is_array()) fail("the history is no array", {});
  std::vector<Message> messages;
  messages.reserve(document.size());
  for (Json& message : document) messages.push_back(message_of(message, messages.size() + 1));
  return messages;
}

}  // namespace attache
