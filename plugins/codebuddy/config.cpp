// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

/// Flags that the driver sets itself, or that would undo what it promises.
constexpr std::array<std::string_view, 36> kReservedFlags{"acp",
                                                          "add-dir",
                                                          "agent",
                                                          "bg",
                                                          "continue",
                                                          "dangerously-skip-permissions",
                                                          "effort",
                                                          "fork-session",
                                                          "help",
                                                          "ide",
                                                          "include-partial-messages",
                                                          "input-format",
                                                          "json-schema",
                                                          "model",
                                                          "name",
                                                          "output-format",
                                                          "permission-mode",
                                                          "plugin-dir",
                                                          "print",
                                                          "replay-user-messages",
                                                          "resume",
                                                          "sandbox",
                                                          "sandbox-id",
                                                          "sandbox-kill",
                                                          "sandbox-new",
                                                          "sandbox-upload-dir",
                                                          "serve",
                                                          "session-id",
                                                          "setting-sources",
                                                          "settings",
                                                          "strict-mcp-config",
                                                          "system-prompt",
                                                          "teleport",
                                                          "tools",
                                                          "verbose",
                                                          "version"};

/// Variables that the driver sets itself.
constexpr std::array<std::string_view, 13> kReservedVariables{"PATH",
                                                              "HOME",
                                                              "TMPDIR",
                                                              "CODEBUDDY_API_KEY",
                                                              "CODEBUDDY_BASE_URL",
                                                              "CODEBUDDY_CONFIG_DIR",
                                                              "CODEBUDDY_CODE_IMAGE_COMPRESSION_MAX_DIMENSION",
                                                              "CODEBUDDY_DISABLE_AUTO_MEMORY",
                                                              "CODEBUDDY_REMOTE_CONFIG_DISABLED",
                                                              "CODEBUDDY_SESSION_ID",
                                                              "CODEBUDDY_SKIP_BUILTIN_MARKETPLACE",
                                                              "DISABLE_AUTOUPDATER",
                                                              "DISABLE_TELEMETRY"};

std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse() {
  throw Failure(Status::invalid, "config_invalid", "the configuration does not satisfy the schema");
}

template <class List>
bool has(const List& list, std::string_view one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

/// One flag with its value after "=": a value of its own word could be taken for the next flag, or for a prompt.
void check_argument(std::string_view one) {
  if (one.substr(0, 2) != "--") refuse();
  const std::string_view name = one.substr(2, one.find('=') - 2);
  if (name.empty()) refuse();
  if (has(kReservedFlags, name)) {
    throw Failure(Status::invalid, "argument_reserved", "an argument is a flag that the driver sets itself");
  }
}

void check_variable(std::string_view name) {
  if (has(kReservedVariables, name)) {
    throw Failure(Status::invalid, "environment_reserved", "a variable to pass is one that the driver sets itself");
  }
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
    out.effort = text("effort", {});
    out.system_prompt = text("system_prompt", {});
    out.permission_mode = text("permission_mode", out.permission_mode);
    out.tools = config.value("tools", out.tools);
    out.hermetic = config.value("hermetic", out.hermetic);
    out.base_url = text("base_url", {});
    const bool by_key = out.hermetic || !out.base_url.empty();
    out.api_key = text("api_key", by_key ? environment("CODEBUDDY_API_KEY") : std::string());
    out.config_dir = text("config_dir", {});
    out.home = text("home", out.hermetic ? std::string() : environment("HOME"));
    out.partial_messages = config.value("partial_messages", out.partial_messages);
    out.allow_file_mentions = config.value("allow_file_mentions", out.allow_file_mentions);
    out.allow_slash_commands = config.value("allow_slash_commands", out.allow_slash_commands);
    out.arguments = config.value("arguments", out.arguments);
    for (const std::string& name : config.value("pass_environment", std::vector<std::string>())) {
      check_variable(name);
      if (std::string value = environment(name); !value.empty()) out.passed.emplace_back(name, std::move(value));
    }
  } catch (const ordered_json::exception&) {
    refuse();
  }
  for (const std::string& one : out.arguments) check_argument(one);
  out.search_path = environment("PATH");
  if ((out.hermetic || !out.base_url.empty()) && out.api_key.empty()) {
    throw Failure(Status::invalid, "api_key_required",
                  "hermetic and base_url need a key: set api_key or CODEBUDDY_API_KEY");
  }
  return out;
}

}  // namespace attache::codebuddy
