// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <attache/sdk/failure.hpp>

namespace attache::acp {

sdk::SpawnOptions command_line(const Config& config, const std::string& directory, const std::string& scratch) {
  sdk::SpawnOptions out;
  out.executable = sdk::find_executable(config.executable, config.search_path);
  if (out.executable.empty()) {
    throw sdk::Failure(sdk::Status::launch_failed, "executable_not_found", "the agent was not found");
  }
  out.arguments = config.arguments;
  if (!config.search_path.empty()) out.environment.push_back("PATH=" + config.search_path);
  out.environment.push_back("HOME=" + (config.home.empty() ? scratch : config.home));
  out.environment.push_back("TMPDIR=" + scratch);
  for (const auto& [name, value] : config.environment) out.environment.push_back(name + "=" + value);
  out.working_directory = directory;
  return out;
}

}  // namespace attache::acp
