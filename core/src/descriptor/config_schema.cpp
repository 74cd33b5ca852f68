// SPDX-License-Identifier: Apache-2.0
#include "descriptor/config_schema.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "descriptor/object_reader.hpp"
#include "descriptor/strict_json.hpp"

namespace attache {
namespace {

using Json = nlohmann::ordered_json;
using Faults = std::vector<DescriptorFault>;
using json::ObjectReader;
using json::Presence;

void check_properties(ObjectReader& reader, Faults& faults) {
  const Json* properties = reader.get("properties", Presence::optional);
  if (properties != nullptr) {
    if (!properties->is_object()) {
      reader.fault("properties", "must be an object");
      return;
    }
    for (const auto& item : properties->items()) {
      check_schema(item.value(), json::child(reader.at("properties"), item.key()), faults);
    }
  }
  const std::vector<std::string> required = reader.texts("required", 256, 256);
  for (std::size_t i = 0; i < required.size(); ++i) {
    if (properties == nullptr || !properties->contains(required[i])) {
      faults.push_back({json::child(reader.at("required"), i), "is not one of the properties"});
    }
  }
}

void check_numbers(ObjectReader& reader) {
  for (const std::string_view key : {"minimum", "maximum"}) {
    const Json* found = reader.get(key, Presence::optional);
    if (found != nullptr && !found->is_number()) reader.fault(key, "must be a number");
  }
  const auto least = reader.number("minLength", Presence::optional, 0, json::max_safe_number);
  const auto most = reader.number("maxLength", Presence::optional, 0, json::max_safe_number);
  if (least && most && *least > *most) reader.fault("minLength", "is above maxLength");
  const Json* low = reader.get("minimum", Presence::optional);
  const Json* high = reader.get("maximum", Presence::optional);
  if (low != nullptr && high != nullptr && low->is_number() && high->is_number() && *low > *high) {
    reader.fault("minimum", "is above maximum");
  }
}

bool has_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return value.is_null();
}

/// Characters of valid UTF-8.
std::size_t length(const std::string& text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

void check_object(const Json& schema, const Json& value, const std::string& pointer, bool enforce_required,
                  Faults& faults) {
  const Json* properties = member(schema, "properties");
  const Json* additional = member(schema, "additionalProperties");
  for (const auto& item : value.items()) {
    const std::string place = json::child(pointer, item.key());
    if (properties != nullptr && properties->contains(item.key())) {
      check_value(properties->at(item.key()), item.value(), place, Required::enforce, faults);
    } else if (additional != nullptr && !additional->get<bool>()) {
      faults.push_back({place, "unknown key"});
    }
  }
  const Json* required = member(schema, "required");
  if (required == nullptr || !enforce_required) return;
  for (const Json& key : *required) {
    const auto& name = key.get_ref<const std::string&>();
    if (!value.contains(name)) faults.push_back({json::child(pointer, name), "required key is missing"});
  }
}

void check_text(const Json& schema, const std::string& value, const std::string& pointer, Faults& faults) {
  const Json* least = member(schema, "minLength");
  const Json* most = member(schema, "maxLength");
  const std::size_t characters = length(value);
  if (least != nullptr && characters < least->get<std::uint64_t>()) {
    faults.push_back({pointer, fmt::format("must have at least {} characters", least->get<std::uint64_t>())});
  }
  if (most != nullptr && characters > most->get<std::uint64_t>()) {
    faults.push_back({pointer, fmt::format("must have at most {} characters", most->get<std::uint64_t>())});
  }
}

void check_range(const Json& schema, const Json& value, const std::string& pointer, Faults& faults) {
  const Json* low = member(schema, "minimum");
  const Json* high = member(schema, "maximum");
  if (low != nullptr && value < *low) faults.push_back({pointer, fmt::format("must be at least {}", low->dump())});
  if (high != nullptr && value > *high) faults.push_back({pointer, fmt::format("must be at most {}", high->dump())});
}

}  // namespace

void check_schema(const Json& schema, const std::string& pointer, Faults& faults) {
  const std::size_t before = faults.size();
  ObjectReader reader(
      schema, pointer, faults,
      {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum", "maximum",
       "minLength", "maxLength", "title", "description", "default", "examples", "secret", "volatile"});
  if (!schema.is_object()) return;
  reader.word("type", Presence::optional, {"object", "array", "string", "boolean", "integer", "number", "null"});
  check_properties(reader, faults);
  reader.flag("additionalProperties");
  if (const Json* items = reader.get("items", Presence::optional); items != nullptr) {
    check_schema(*items, reader.at("items"), faults);
  }
  for (const std::string_view key : {"enum", "examples"}) {
    const Json* found = reader.get(key, Presence::optional);
    if (found != nullptr && (!found->is_array() || found->empty())) reader.fault(key, "must be a non-empty array");
  }
  check_numbers(reader);
  reader.text("title", Presence::optional, 200);
  reader.text("description", Presence::optional, 2000);
  reader.flag("secret");
  reader.flag("volatile");
  const Json* fallback = reader.get("default", Presence::optional);
  if (fallback != nullptr && faults.size() == before) {
    check_value(schema, *fallback, reader.at("default"), Required::enforce, faults);
  }
}

void check_value(const Json& schema, const Json& value, const std::string& pointer, Required required, Faults& faults) {
  if (const Json* type = member(schema, "type"); type != nullptr) {
    const auto& name = type->get_ref<const std::string&>();
    if (!has_type(value, name)) {
      faults.push_back({pointer, fmt::format("must be of type {}", name)});
      return;
    }
  }
  if (const Json* one = member(schema, "const"); one != nullptr && value != *one) {
    faults.push_back({pointer, "is not the one value allowed"});
  }
  if (const Json* some = member(schema, "enum"); some != nullptr) {
    if (std::find(some->begin(), some->end(), value) == some->end()) {
      faults.push_back({pointer, fmt::format("must be one of {}", some->dump())});
    }
  }
  if (value.is_object()) check_object(schema, value, pointer, required == Required::enforce, faults);
  if (value.is_string()) check_text(schema, value.get_ref<const std::string&>(), pointer, faults);
  if (value.is_number()) check_range(schema, value, pointer, faults);
  const Json* items = member(schema, "items");
  if (value.is_array() && items != nullptr) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      check_value(*items, value[i], json::child(pointer, i), Required::enforce, faults);
    }
  }
}

std::vector<DescriptorFault> check_config(const Descriptor& descriptor, std::string_view config_json) {
  constexpr std::size_t max_config_bytes = 1024UL * 1024;
  Faults faults;
  Json config;
  if (json::parse_strict(config_json, max_config_bytes, config, faults)) {
    check_value(Json::parse(descriptor.config_schema), config, "", Required::enforce, faults);
  }
  return faults;
}

}  // namespace attache
