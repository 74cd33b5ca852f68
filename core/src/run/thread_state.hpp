// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <attache/thread.hpp>

#include "run/agent_core.hpp"
#include "thread/turn.hpp"

namespace attache {

/// Shared by the copies of a Thread.
struct [[gnu::visibility("hidden")]] Thread::State {
  /// Throws Error: option_unsupported, thread_store (key_invalid).
  static std::shared_ptr<State> make(std::shared_ptr<run::AgentCore> agent, std::string key, ThreadOptions options);
  std::unique_ptr<threads::Turn> new_turn() const;
  /// Still to be made out of another thread.
  bool is_pending() const noexcept {
    return terms.fork != nullptr && !terms.fork->made;
  }

  std::shared_ptr<run::AgentCore> agent;
  threads::TurnTerms terms;
};

}  // namespace attache
