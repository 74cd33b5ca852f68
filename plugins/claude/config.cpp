// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

namespace attache::claude {
namespace {

std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse() {
  throw sdk::Failure(sdk::Status::invalid, "config_invalid", "the configuration does not satisfy the schema");
}

std::uint64_t whole_number(const nlohmann::ordered_json& value) {
  if (!value.is_number_unsigned()) refuse();
  return value.get<std::uint64_t>();
}

}  // namespace

Config read_config(std::string_view json) {
  using nlohmann::ordered_json;
  Config out;
  try {
    const ordered_json config = ordered_json::parse(json);
    const auto text = [&](const char* key, std::string fallback) { return config.value(key, std::move(fallback)); };
    out.executable = text("executable", out.executable);
    out.model = text("model", {});
    out.system_prompt = text("system_prompt", {});
    out.hermetic = config.value("hermetic", out.hermetic);
    out.api_key = text("api_key", environment("ANTHROPIC_API_KEY"));
    out.base_url = text("base_url", {});
    out.config_dir = text("config_dir", {});
    out.home = text("home", environment("HOME"));
    out.disable_prompt_caching = config.value("disable_prompt_caching", out.disable_prompt_caching);
    out.partial_messages = config.value("partial_messages", out.partial_messages);
    if (config.contains("max_retries")) out.max_retries = whole_number(config.at("max_retries"));
    for (const std::string& name : config.value("pass_environment", std::vector<std::string>())) {
      if (std::string value = environment(name); !value.empty()) out.passed.emplace_back(name, std::move(value));
    }
  } catch (const ordered_json::exception&) {
    refuse();
  }
  out.search_path = environment("PATH");
  if (out.hermetic && out.api_key.empty()) {
    throw sdk::Failure(sdk::Status::invalid, "api_key_required",
                       "a hermetic claude reads no login: set api_key or ANTHROPIC_API_KEY");
  }
  return out;
}

}  // namespace attache::claude
