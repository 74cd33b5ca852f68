// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

namespace attache::codex {
namespace {

constexpr const char* kOpenAi = "https://api.openai.com/v1";

/// A TOML basic string; JSON's escapes are TOML's, but for DEL, which neither key nor URL can hold.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string provider(const Config& config) {
  std::string out = fmt::format(
      R"(model_providers.attache={{name="attache",base_url={},wire_api="responses",env_key="OPENAI_API_KEY",requires_openai_auth=false)",
      quoted(config.base_url.empty() ? kOpenAi : config.base_url));
  if (config.max_retries) {
    out += fmt::format(",request_max_retries={0},stream_max_retries={0}", *config.max_retries);
  }
  return out + "}";
}

std::vector<std::string> arguments(const Config& config) {
  std::vector<std::string> out{"app-server"};
  const auto set = [&](const std::string& setting) {
    out.emplace_back("-c");
    out.push_back(setting);
  };
  // Without these the CLI looks up hosts that are not the provider's, and repeats a request to a dead one for ever.
  set("features.plugins=false");
  set("features.unbounded_connection_retries=false");
  set("analytics.enabled=false");
  // Re-encodes every image; may become the default.
  set("features.safe_image_decoder=false");
  // Takes the media out of the raw items too, which are the only proof of what the CLI sends.
  set("features.omit_app_server_notification_media=false");
  if (config.hermetic) {
    set("skills.bundled.enabled=false");
    set("project_doc_max_bytes=0");
    set("features.apps=false");
  }
  if (!config.api_key.empty()) {
    set(R"(model_provider="attache")");
    set(provider(config));
  }
  if (!config.reasoning_effort.empty()) set("model_reasoning_effort=" + quoted(config.reasoning_effort));
  if (!config.model_catalog.empty()) set("model_catalog_json=" + quoted(config.model_catalog));
  for (const std::string& one : config.overrides) set(one);
  return out;
}

std::vector<std::string> environment(const Config& config, const std::string& scratch) {
  std::vector<std::string> out;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) out.push_back(fmt::format("{}={}", name, value));
  };
  set("PATH", config.search_path);
  set("HOME", config.home);
  set("TMPDIR", scratch);
  set("CODEX_HOME", config.hermetic && config.codex_home.empty() ? scratch : config.codex_home);
  set("OPENAI_API_KEY", config.api_key);
  for (const auto& [name, value] : config.passed) set(name, value);
  return out;
}

}  // namespace

sdk::SpawnOptions command_line(const Config& config, const std::string& directory, const std::string& scratch) {
  sdk::SpawnOptions out;
  out.executable = sdk::find_executable(config.executable, config.search_path);
  if (out.executable.empty()) {
    throw sdk::Failure(sdk::Status::launch_failed, "executable_not_found", "the codex CLI was not found");
  }
  out.arguments = arguments(config);
  out.environment = environment(config, scratch);
  out.working_directory = directory;
  return out;
}

}  // namespace attache::codex
