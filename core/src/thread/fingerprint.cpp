// SPDX-License-Identifier: Apache-2.0
#include "thread/fingerprint.hpp"

#include <initializer_list>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/sha256.hpp>

namespace attache::threads {
namespace {

using Json = nlohmann::json;  // sorts its keys

/// Each part with its length before it, so that no two lists give the same bytes.
std::string digest_of(std::initializer_list<std::string_view> parts) {
  sdk::Sha256 hash;
  for (const std::string_view part : parts) {
    hash.update(fmt::format("{}:", part.size()));
    hash.update(part);
  }
  return sdk::to_hex(hash.finish());
}

bool says(const Json& schema, const char* annotation) {
  const auto found = schema.find(annotation);
  return found != schema.end() && *found == true;
}

bool counts(const Json& schema) {
  return !says(schema, "secret") && !says(schema, "volatile");
}

/// Takes out what does not count, at any depth.
void reduce(const Json& schema, Json& value) {
  const auto properties = schema.find("properties");
  if (value.is_object() && properties != schema.end()) {
    for (const auto& [name, property] : properties->items()) {
      const auto member = value.find(name);
      if (member == value.end()) continue;
      if (counts(property)) {
        reduce(property, *member);
      } else {
        value.erase(member);
      }
    }
  }
  const auto items = schema.find("items");
  if (!value.is_array() || items == schema.end()) return;
  if (!counts(*items)) value = Json::array();
  for (Json& element : value) reduce(*items, element);
}

std::string place_of(const std::filesystem::path& workspace) {
  std::string place = workspace.lexically_normal().string();
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  return place;
}

}  // namespace

std::string fingerprint(const Descriptor& descriptor, std::string_view config_json,
                        const std::filesystem::path& workspace) {
  Json config = Json::parse(config_json);
  reduce(Json::parse(descriptor.config_schema), config);
  return digest_of(
      {"attache/thread/1", descriptor.id, std::to_string(descriptor.spi_major), config.dump(), place_of(workspace)});
}

std::string opaque_id(std::string_view salt, std::string_view key) {
  return digest_of({"attache/thread-id/1", salt, key});
}

}  // namespace attache::threads
