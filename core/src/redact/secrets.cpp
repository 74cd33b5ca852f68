// SPDX-License-Identifier: Apache-2.0
#include "redact/secrets.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>

#include "redact/path_forms.hpp"

namespace attache::redact {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> credential_words{"KEY",      "TOKEN",      "SECRET",
                                                           "PASSWORD", "CREDENTIAL", "CREDENTIALS"};

void add(std::vector<std::string>& secrets, std::string value) {
  if (value.size() >= shortest_secret && std::find(secrets.begin(), secrets.end(), value) == secrets.end()) {
    secrets.push_back(std::move(value));
  }
}

void add_strings(const Json& value, std::vector<std::string>& secrets) {
  if (value.is_string()) {
    add(secrets, value.get<std::string>());
  } else if (value.is_structured()) {
    for (const Json& member : value) {
      add_strings(member, secrets);
    }
  }
}

void collect(const Json& schema, const Json& value, std::vector<std::string>& secrets) {
  if (schema.value("secret", false)) {
    add_strings(value, secrets);
    return;
  }
  const auto properties = schema.find("properties");
  if (value.is_object() && properties != schema.end()) {
    for (const auto& [name, property] : properties->items()) {
      const auto member = value.find(name);
      if (member != value.end()) {
        collect(property, *member, secrets);
      }
    }
  }
  const auto items = schema.find("items");
  if (value.is_array() && items != schema.end()) {
    for (const Json& element : value) {
      collect(*items, element, secrets);
    }
  }
}

bool names_a_credential(std::string_view name) {
  while (!name.empty()) {
    const std::string_view word = name.substr(0, name.find('_'));
    if (std::find(credential_words.begin(), credential_words.end(), word) != credential_words.end()) {
      return true;
    }
    name.remove_prefix(std::min(word.size() + 1, name.size()));
  }
  return false;
}

}  // namespace

std::vector<std::string> config_secrets(const Descriptor& descriptor, std::string_view config_json) {
  std::vector<std::string> secrets;
  collect(Json::parse(descriptor.config_schema), Json::parse(config_json), secrets);
  return secrets;
}

std::vector<std::string> environment_secrets(const Descriptor& descriptor) {
  std::vector<std::string> secrets;
  for (const std::string& name : descriptor.environment) {
    const char* const value = names_a_credential(name) ? std::getenv(name.c_str()) : nullptr;
    if (value != nullptr) {
      add(secrets, value);
    }
  }
  return secrets;
}

std::vector<std::string> secret_forms(std::string_view secret) {
  std::vector<std::string> forms = path_forms(secret);
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string encoded = sdk::base64_encode(std::string(before, '\0') + std::string(secret));
    // A character of base64 that holds bits of what stands before or after the secret is not certain.
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t last = (before + secret.size()) * 8 / 6;
    std::string certain = encoded.substr(first, last - first);
    forms.push_back(certain);
    std::replace(certain.begin(), certain.end(), '+', '-');
    std::replace(certain.begin(), certain.end(), '/', '_');
    forms.push_back(std::move(certain));
  }
  return forms;
}

}  // namespace attache::redact
