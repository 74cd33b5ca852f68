// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "wire/dialect_impl.hpp"

namespace attache::conformance {
namespace {

std::string list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : ", ") + word;
  }
  return out;
}

}  // namespace

ObjectReader::ObjectReader(Json value, std::string pointer, std::vector<std::string>& faults)
    : value_(std::move(value)), pointer_(std::move(pointer)), faults_(faults) {
  if (!value_.get().is_object()) {
    faults_.push_back((pointer_.empty() ? "/" : pointer_) + ": must be an object");
  }
}

void ObjectReader::fault(const std::string& member, const std::string& what) {
  faults_.push_back(pointer_ + "/" + member + ": " + what);
}

const Json* ObjectReader::take(const char* name, bool required) {
  taken_.emplace_back(name);
  if (!value_.get().is_object()) {
    return nullptr;
  }
  const auto found = value_.get().find(name);
  if (found == value_.get().end()) {
    if (required) {
      fault(name, "is missing");
    }
    return nullptr;
  }
  return &*found;
}

std::string ObjectReader::text(const char* name, bool required) {
  const Json* value = take(name, required);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_string()) {
    fault(name, "must be a string");
    return {};
  }
  auto out = value->get<std::string>();
  if (required && out.empty()) {
    fault(name, "must not be empty");
  }
  return out;
}

std::string ObjectReader::pointer_text(const char* name, bool required) {
  const Json* value = take(name, required);
  if (value == nullptr) {
    return {};
  }
  try {
    auto out = value->get<std::string>();
    static_cast<void>(Json::json_pointer(out));
    return out;
  } catch (const Json::exception&) {
    fault(name, "must be a JSON pointer");
    return {};
  }
}

std::string ObjectReader::word(const char* name, const std::vector<std::string>& words, bool required) {
  const std::string out = text(name, required);
  if (!out.empty() && std::find(words.begin(), words.end(), out) == words.end()) {
    fault(name, "must be one of " + list(words));
    return {};
  }
  return out;
}

std::vector<std::string> ObjectReader::texts(const char* name, bool required) {
  const Json* value = take(name, required);
  if (value == nullptr) {
    return {};
  }
  const bool good =
      value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& item) { return item.is_string(); });
  if (!good) {
    fault(name, "must be an array of strings");
    return {};
  }
  return value->get<std::vector<std::string>>();
}

std::optional<std::int64_t> ObjectReader::integer(const char* name, std::int64_t least, std::int64_t most) {
  const Json* value = take(name, false);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_number_integer() || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most) {
    fault(name, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }
  return value->get<std::int64_t>();
}

bool ObjectReader::flag(const char* name, bool otherwise) {
  const Json* value = take(name, false);
  if (value == nullptr) {
    return otherwise;
  }
  if (!value->is_boolean()) {
    fault(name, "must be true or false");
    return otherwise;
  }
  return value->get<bool>();
}

Json ObjectReader::object(const char* name, bool required) {
  const Json* value = take(name, required);
  if (value != nullptr && !value->is_object()) {
    fault(name, "must be an object");
    return Json::object();
  }
  return value == nullptr ? Json::object() : *value;
}

Json ObjectReader::array(const char* name, bool required) {
  const Json* value = take(name, required);
  if (value != nullptr && !value->is_array()) {
    fault(name, "must be an array");
    return Json::array();
  }
  return value == nullptr ? Json::array() : *value;
}

Json ObjectReader::any(const char* name) {
  const Json* value = take(name, false);
  return value == nullptr ? Json() : *value;
}

void ObjectReader::finish() {
  if (!value_.get().is_object()) {
    return;
  }
  for (const auto& member : value_.get().items()) {
    if (std::find(taken_.begin(), taken_.end(), member.key()) == taken_.end()) {
      fault(member.key(), "is not known");
    }
  }
}

}  // namespace attache::conformance
