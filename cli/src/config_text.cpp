// SPDX-License-Identifier: Apache-2.0
#include "config_text.hpp"

#include <cstddef>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/error.hpp>

namespace attache::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_config_bytes = 1u << 20;

bool is_string_field(const Json& schema, const std::string& key) {
  const auto properties = schema.find("properties");
  if (properties == schema.end() || !properties->is_object() || !properties->contains(key)) {
    return false;
  }
  const Json& field = (*properties)[key];
  return field.is_object() && field.value("type", Json()) == Json("string");
}

Json value_of(const Json& schema, const std::string& key, const std::string& text) {
  if (is_string_field(schema, key)) {
    return text;
  }
  Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

}  // namespace

std::string read_config_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(max_config_bytes + 1, '\0');
  if (!stream || (stream.read(text.data(), static_cast<std::streamsize>(text.size())), stream.bad())) {
    throw Error(errc::config_invalid, "config_file_unreadable", "The configuration file cannot be read.");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > max_config_bytes) {
    throw Error(errc::config_invalid, "config_too_large", "The configuration file is larger than 1 MiB.");
  }
  return text;
}

std::string merge_config(std::string_view base, const std::vector<std::string>& settings, std::string_view schema) {
  Json config = Json::parse(base, nullptr, false);
  if (!config.is_object()) {
    throw Error(errc::config_invalid, "not_an_object", "The configuration is not a JSON object.");
  }
  const Json rules = Json::parse(schema, nullptr, false);
  for (const std::string& setting : settings) {
    const std::size_t split = setting.find('=');
    if (split == std::string::npos || split == 0) {
      throw Error(errc::config_invalid, "bad_setting", "A setting is not of the form key=value.");
    }
    const std::string key = setting.substr(0, split);
    config[key] = value_of(rules.is_object() ? rules : Json::object(), key, setting.substr(split + 1));
  }
  return config.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attache::cli
