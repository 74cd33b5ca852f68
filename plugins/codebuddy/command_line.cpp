// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include <attache/sdk/failure.hpp>

namespace attache::codebuddy {
namespace {

std::vector<std::string> environment(const Config& config, const std::string& scratch) {
  std::vector<std::string> out;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) out.push_back(fmt::format("{}={}", name, value));
  };
  set("PATH", config.search_path);
  set("HOME", home_of(config, scratch));
  set("TMPDIR", scratch);
  set("CODEBUDDY_API_KEY", config.api_key);
  set("CODEBUDDY_BASE_URL", config.base_url);
  set("CODEBUDDY_CONFIG_DIR", config.config_dir);
  // Images keep their bytes. Without it those over 2000 px are re-encoded; 0 would make each one a single pixel.
  set("CODEBUDDY_CODE_IMAGE_COMPRESSION_MAX_DIMENSION", "100000");
  set("CODEBUDDY_DISABLE_AUTO_MEMORY", "1");
  // No look-ups at hosts that are not the provider's.
  set("CODEBUDDY_SKIP_BUILTIN_MARKETPLACE", "1");
  set("DISABLE_AUTOUPDATER", "1");
  set("DISABLE_TELEMETRY", "1");
  if (!config.api_key.empty()) set("CODEBUDDY_REMOTE_CONFIG_DISABLED", "1");
  for (const auto& [name, value] : config.passed) set(name, value);
  return out;
}

sdk::SpawnOptions base(const Config& config, const std::string& directory, const std::string& scratch) {
  sdk::SpawnOptions out;
  out.executable = sdk::find_executable(config.executable, config.search_path);
  if (out.executable.empty()) {
    throw sdk::Failure(sdk::Status::launch_failed, "executable_not_found", "the codebuddy CLI was not found");
  }
  out.environment = environment(config, scratch);
  out.working_directory = directory;
  return out;
}

std::vector<std::string> common(const Config& config) {
  std::vector<std::string> out{"-p", "--input-format=stream-json", "--output-format=stream-json"};
  out.insert(out.end(), {"--setting-sources=none", "--strict-mcp-config"});
  if (!config.model.empty()) out.push_back("--model=" + config.model);
  return out;
}

/// The model reads a referenced file with this tool.
std::vector<std::string> tools_of(const Config& config, bool references) {
  std::vector<std::string> out = config.tools;
  if (references && std::find(out.begin(), out.end(), "Read") == out.end()) out.emplace_back("Read");
  return out;
}

}  // namespace

std::string home_of(const Config& config, const std::string& scratch) {
  return config.hermetic && config.home.empty() ? scratch : config.home;
}

sdk::SpawnOptions command_line(const Config& config, const sdk::Request& request, const Session& session,
                               const std::string& directory, const std::string& scratch) {
  sdk::SpawnOptions out = base(config, directory, scratch);
  std::set<std::string> granted;
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() != sdk::Mode::workspace_reference) continue;
    granted.insert(std::filesystem::path(input.local_path()).parent_path().string());
  }
  out.arguments = common(config);
  const auto add = [&](std::string one) { out.arguments.push_back(std::move(one)); };
  add("--permission-mode=" + config.permission_mode);
  add("--tools");
  add(fmt::format("{}", fmt::join(tools_of(config, !granted.empty()), ",")));
  if (!config.effort.empty()) add("--effort=" + config.effort);
  if (!config.system_prompt.empty()) add("--system-prompt=" + config.system_prompt);
  if (!session.id.empty()) add("--resume=" + session.id);
  if (session.fork) add("--fork-session");
  for (const std::string& one : granted) add("--add-dir=" + one);
  for (const std::string& one : config.arguments) add(one);
  if (config.partial_messages) add("--include-partial-messages");
  return out;
}

sdk::SpawnOptions version_command(const Config& config, const std::string& scratch) {
  sdk::SpawnOptions out = base(config, scratch, scratch);
  out.arguments = {"--version"};
  return out;
}

sdk::SpawnOptions control_command(const Config& config, const std::string& scratch) {
  sdk::SpawnOptions out = base(config, scratch, scratch);
  out.arguments = common(config);
  return out;
}

}  // namespace attache::codebuddy
