// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <fmt/format.h>

#include <attache/sdk/failure.hpp>

namespace attache::claude {
namespace {

std::vector<std::string> environment(const Config& config, const std::string& scratch) {
  std::vector<std::string> out;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) out.push_back(fmt::format("{}={}", name, value));
  };
  set("PATH", config.search_path);
  set("HOME", config.home);
  set("TMPDIR", scratch);
  set("ANTHROPIC_API_KEY", config.api_key);
  set("ANTHROPIC_BASE_URL", config.base_url);
  set("CLAUDE_CONFIG_DIR", config.config_dir);
  set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
  if (config.disable_prompt_caching) set("DISABLE_PROMPT_CACHING", "1");
  if (config.max_retries) set("CLAUDE_CODE_MAX_RETRIES", std::to_string(*config.max_retries));
  for (const auto& [name, value] : config.passed) set(name, value);
  return out;
}

}  // namespace

std::string executable_of(const Config& config) {
  std::string path = sdk::find_executable(config.executable, config.search_path);
  if (path.empty()) {
    throw sdk::Failure(sdk::Status::launch_failed, "executable_not_found", "the claude CLI was not found");
  }
  return path;
}

sdk::SpawnOptions command_line(const Config& config, const std::string& workspace, const std::string& scratch) {
  sdk::SpawnOptions out;
  out.executable = executable_of(config);
  out.arguments = {"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"};
  const auto add = [&](std::initializer_list<std::string> some) {
    out.arguments.insert(out.arguments.end(), some.begin(), some.end());
  };
  if (config.hermetic) add({"--bare"});
  add({"--tools", "", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands"});
  add({"--permission-mode", "dontAsk"});
  if (!config.system_prompt.empty()) add({"--system-prompt=" + config.system_prompt});
  if (!config.model.empty()) add({"--model=" + config.model});
  add({"--replay-user-messages", "--no-session-persistence"});
  if (config.partial_messages) add({"--include-partial-messages"});
  out.environment = environment(config, scratch);
  out.working_directory = workspace.empty() ? scratch : workspace;
  return out;
}

sdk::SpawnOptions version_command(const Config& config, const std::string& scratch) {
  sdk::SpawnOptions out;
  out.executable = executable_of(config);
  out.arguments = {"--version"};
  out.environment = environment(config, scratch);
  out.working_directory = scratch;
  return out;
}

}  // namespace attache::claude
