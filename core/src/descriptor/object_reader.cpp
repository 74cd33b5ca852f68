// SPDX-License-Identifier: Apache-2.0
#include "descriptor/object_reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "descriptor/strict_json.hpp"

namespace attache::json {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

bool is_plain_text(std::string_view text, std::size_t max_bytes) noexcept {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !text.empty() && text.size() <= max_bytes && std::none_of(text.begin(), text.end(), control);
}

ObjectReader::ObjectReader(const Json& value, std::string pointer, std::vector<DescriptorFault>& faults,
                           std::initializer_list<std::string_view> known_keys)
    : value_(value), pointer_(std::move(pointer)), faults_(faults) {
  if (!value_.is_object()) {
    faults_.push_back({pointer_, "must be an object"});
    return;
  }
  for (const auto& item : value_.items()) {
    if (std::find(known_keys.begin(), known_keys.end(), item.key()) == known_keys.end()) {
      fault(item.key(), "unknown key");
    }
  }
}

std::string ObjectReader::at(std::string_view key) const {
  return child(pointer_, key);
}

void ObjectReader::fault(std::string_view key, std::string text) {
  faults_.push_back({at(key), std::move(text)});
}

const Json* ObjectReader::get(std::string_view key, Presence presence) {
  if (!value_.is_object()) return nullptr;
  const auto found = value_.find(std::string(key));
  if (found != value_.end()) return &*found;
  if (presence == Presence::required) fault(key, "required key is missing");
  return nullptr;
}

std::string ObjectReader::text(std::string_view key, Presence presence, std::size_t max_bytes) {
  const Json* found = get(key, presence);
  if (found == nullptr) return {};
  if (!found->is_string() || !is_plain_text(found->get_ref<const std::string&>(), max_bytes)) {
    fault(key, fmt::format("must be a string of 1 to {} bytes without control characters", max_bytes));
    return {};
  }
  return found->get<std::string>();
}

std::string ObjectReader::word(std::string_view key, Presence presence, std::initializer_list<std::string_view> words) {
  const Json* found = get(key, presence);
  if (found == nullptr) return {};
  if (found->is_string()) {
    const std::string& text = found->get_ref<const std::string&>();
    if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  }
  fault(key, fmt::format("must be one of: {}", fmt::join(words, ", ")));
  return {};
}

std::optional<std::uint64_t> ObjectReader::number(std::string_view key, Presence presence, std::uint64_t min,
                                                  std::uint64_t max) {
  const Json* found = get(key, presence);
  if (found == nullptr) return std::nullopt;
  if (found->is_number_unsigned()) {
    const auto value = found->get<std::uint64_t>();
    if (value >= min && value <= max) return value;
  }
  fault(key, fmt::format("must be a whole number from {} to {}", min, max));
  return std::nullopt;
}

bool ObjectReader::flag(std::string_view key) {
  const Json* found = get(key, Presence::optional);
  if (found == nullptr) return false;
  if (found->is_boolean()) return found->get<bool>();
  fault(key, "must be true or false");
  return false;
}

std::vector<std::string> ObjectReader::texts(std::string_view key, std::size_t max_items, std::size_t max_bytes) {
  const Json* found = get(key, Presence::optional);
  if (found == nullptr) return {};
  if (!found->is_array() || found->size() > max_items) {
    fault(key, fmt::format("must be an array of at most {} strings", max_items));
    return {};
  }
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Json& item = (*found)[i];
    if (!item.is_string() || !is_plain_text(item.get_ref<const std::string&>(), max_bytes)) {
      faults_.push_back({child(at(key), i), fmt::format("must be a string of 1 to {} bytes", max_bytes)});
    } else if (!seen.insert(item.get<std::string>()).second) {
      faults_.push_back({child(at(key), i), "appears twice"});
    } else {
      out.push_back(item.get<std::string>());
    }
  }
  return out;
}

}  // namespace attache::json
