// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <attache/agent.hpp>

#include "run/gate.hpp"
#include "run/instance.hpp"
#include "run/run.hpp"
#include "thread/turn.hpp"

namespace attache::run {

/// What an agent and its threads share. Any thread.
struct AgentCore {
  AgentCore(Driver given, const AgentOptions& options);

  RunTerms terms();
  std::shared_ptr<Run> new_run(std::string prompt, const std::vector<RunOption>& options,
                               std::unique_ptr<threads::Turn> turn = nullptr);
  /// Drives a run to its end on the caller's thread.
  static Result finish(const std::shared_ptr<Run>& run);
  /// Throws Error(agent_closed).
  std::shared_ptr<Instance> open_instance();
  void close();

  const Driver driver;
  const AgentOptions settings;
  const std::chrono::milliseconds grace;
  const std::string salt;  ///< for what drivers are shown of threads
  const std::shared_ptr<Gate> gate;
  std::mutex mutex;
  std::shared_ptr<Instance> instance;  ///< empty once closed
  const InputCapabilities capabilities;
};

}  // namespace attache::run
