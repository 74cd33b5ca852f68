// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Status;

/// What the driver's promises rest on.
constexpr std::array<std::string_view, 13> kReserved{
    "approval_policy",         "analytics",      "developer_instructions",
    "experimental_raw_events", "features",       "model",
    "model_catalog_json",      "model_provider", "model_providers",
    "model_reasoning_effort",  "profile",        "sandbox_mode",
    "sandbox_workspace_write"};

std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse() {
  throw Failure(Status::invalid, "config_invalid", "the configuration does not satisfy the schema");
}

void check_override(std::string_view one) {
  const std::size_t sign = one.find('=');
  if (sign == 0 || sign == std::string_view::npos) refuse();
  std::string_view key = one.substr(0, std::min(sign, one.find('.')));
  constexpr std::string_view around = " \t\"'";
  key.remove_prefix(std::min(key.find_first_not_of(around), key.size()));
  key = key.substr(0, key.find_last_not_of(around) + 1);
  if (key.find('\\') != std::string_view::npos) refuse();  // an escape in a quoted key could spell any of them
  if (std::find(kReserved.begin(), kReserved.end(), key) != kReserved.end()) {
    throw Failure(Status::invalid, "override_reserved", "an override names a key that the driver sets itself");
  }
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
    out.reasoning_effort = text("reasoning_effort", {});
    out.system_prompt = text("system_prompt", {});
    out.sandbox = text("sandbox", out.sandbox);
    out.hermetic = config.value("hermetic", out.hermetic);
    out.base_url = text("base_url", {});
    const bool by_key = out.hermetic || !out.base_url.empty();
    out.api_key = text("api_key", by_key ? environment("OPENAI_API_KEY") : std::string());
    out.codex_home = text("codex_home", out.hermetic ? std::string() : environment("CODEX_HOME"));
    out.home = text("home", environment("HOME"));
    out.model_catalog = text("model_catalog", {});
    if (config.contains("max_retries")) out.max_retries = whole_number(config.at("max_retries"));
    if (config.contains("resident_idle_s")) out.resident_idle_s = whole_number(config.at("resident_idle_s"));
    out.overrides = config.value("overrides", out.overrides);
    for (const std::string& name : config.value("pass_environment", std::vector<std::string>())) {
      if (std::string value = environment(name); !value.empty()) out.passed.emplace_back(name, std::move(value));
    }
  } catch (const ordered_json::exception&) {
    refuse();
  }
  for (const std::string& one : out.overrides) check_override(one);
  out.search_path = environment("PATH");
  if ((out.hermetic || !out.base_url.empty()) && out.api_key.empty()) {
    throw Failure(Status::invalid, "api_key_required",
                  "hermetic and base_url need a key: set api_key or OPENAI_API_KEY");
  }
  if (out.max_retries && out.api_key.empty()) {
    throw Failure(Status::invalid, "retries_need_api_key", "max_retries needs an API key");
  }
  return out;
}

}  // namespace attache::codex
