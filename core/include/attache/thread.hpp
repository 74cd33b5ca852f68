// SPDX-License-Identifier: Apache-2.0
// Threads: turns that continue each other.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <attache/agent.hpp>
#include <attache/api.hpp>
#include <attache/thread_store.hpp>

namespace attache {

/// \since 0.2
struct ThreadOptions {
  bool resume_only = false;  ///< a thread the store does not know is thread_unknown, and nothing is restarted
  bool restart_when_incompatible = false;  ///< a record of another driver, config or workspace is replaced by a new
                                           ///< session once a turn of it was healthy; else thread_incompatible
};

/// One conversation of an agent, under a key the host chose. A turn resumes from the checkpoint of the last healthy
/// one and delivers its own inputs only. One turn at a time: a second one, also of another process, fails with
/// thread_busy. Cheap to copy; any thread.
/// \since 0.2
class ATTACHE_API Thread {
 public:
  template <class... Options>
  Result run(std::string prompt, const Options&... options) {
    return run_with(std::move(prompt), {options...});
  }
  template <class... Options>
  Stream stream(std::string prompt, const Options&... options) {
    return stream_with(std::move(prompt), {options...});
  }
  Result run_with(std::string prompt, std::vector<RunOption> options);
  Stream stream_with(std::string prompt, std::vector<RunOption> options);

  /// A thread under another key whose first turn continues this one's last healthy turn on a fork of the provider's
  /// session; this one stays as it is. Throws Error: option_unsupported (the driver does not declare fork),
  /// thread_unknown (there is nothing to fork), thread_exists (the new key has a record).
  Thread fork(std::string new_key) const;

  const std::string& key() const noexcept;
  /// True when a turn that failed, or is not over yet, may be part of the provider's own history; for one that failed a
  /// new thread is the way out.
  bool tainted() const;

 private:
  friend class Agent;
  struct State;
  explicit Thread(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> state_;
};

}  // namespace attache
