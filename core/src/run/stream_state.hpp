// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <thread>
#include <utility>

#include <attache/agent.hpp>

#include "run/run.hpp"

namespace attache {

/// A run and the thread that supervises it.
struct [[gnu::visibility("hidden")]] Stream::State {
  /// Starts the run, and returns once it has read what the caller lent.
  static std::shared_ptr<State> start(const std::shared_ptr<run::Run>& run);
  explicit State(std::shared_ptr<run::Run> started) : run(std::move(started)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  std::shared_ptr<run::Run> run;
  std::thread supervisor;
};

}  // namespace attache
