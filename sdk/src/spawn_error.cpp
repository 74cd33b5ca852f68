// SPDX-License-Identifier: Apache-2.0
#include <system_error>
#include <utility>

#include <attache/sdk/child_process.hpp>

namespace attache::sdk {
namespace {

std::string explain(const std::string& reason, int system_error) {
  std::string text = "the process cannot be started";
  if (reason == "executable_not_found") text = "the executable does not exist";
  if (reason == "not_executable") text = "the executable cannot be run";
  if (reason == "working_directory") text = "the working directory cannot be used";
  if (reason == "argument_too_long") text = "the arguments or the environment are longer than the system takes";
  if (reason == "invalid_string") text = "an argument, a variable or a path holds a zero byte";
  if (system_error != 0) text += ": " + std::generic_category().message(system_error);
  return text;
}

}  // namespace

SpawnError::SpawnError(std::string reason, int system_error)
    : std::runtime_error(explain(reason, system_error)), reason_(std::move(reason)), system_error_(system_error) {}

}  // namespace attache::sdk
