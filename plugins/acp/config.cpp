// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

namespace attache::acp {
namespace {

using nlohmann::ordered_json;
using sdk::Failure;
using sdk::Status;

std::string host_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

[[noreturn]] void refuse() {
  throw Failure(Status::invalid, "config_invalid", "the configuration does not satisfy the schema");
}

void add_variable(Config& config, const std::string& name, std::string value) {
  if (name.empty() || name.find('=') != std::string::npos) refuse();
  if (name == "HOME" || name == "PATH" || name == "TMPDIR") {
    throw Failure(Status::invalid, "variable_reserved", "HOME, PATH and TMPDIR of the agent are the driver's to set");
  }
  config.environment.emplace_back(name, std::move(value));
}

void read(const ordered_json& config, Config& out) {
  const auto text = [&](const char* key, std::string fallback) { return config.value(key, std::move(fallback)); };
  out.executable = text("executable", {});
  out.arguments = config.value("arguments", out.arguments);
  out.search_path = text("search_path", host_variable("PATH"));
  out.home = text("home", config.value("hermetic", false) ? std::string() : host_variable("HOME"));
  out.embedded_blobs = config.value("embedded_blobs", out.embedded_blobs);
  out.options.auth_method = text("auth_method", {});
  out.options.mode = text("mode", {});
  out.options.model = text("model", {});
  out.options.allow_permissions = text("permission", "deny") == "allow";
  for (const std::string& name : config.value("pass_environment", std::vector<std::string>())) {
    if (std::string value = host_variable(name); !value.empty()) add_variable(out, name, std::move(value));
  }
  const ordered_json variables = config.value("environment", ordered_json::object());
  for (const auto& one : variables.items()) add_variable(out, one.key(), one.value().get<std::string>());
}

}  // namespace

Config read_config(std::string_view json) {
  Config out;
  try {
    read(ordered_json::parse(json), out);
  } catch (const ordered_json::exception&) {
    refuse();
  }
  if (out.executable.empty()) {
    throw Failure(Status::invalid, "executable_required", "the configuration names no agent: set executable");
  }
  return out;
}

}  // namespace attache::acp
