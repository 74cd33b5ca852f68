// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace attache::run {

class Run;

/// The runs of one agent: which are there, how many may be in the driver at once, and whether there may be more.
/// Any thread.
class Gate {
 public:
  explicit Gate(std::uint32_t parallel) noexcept : free_(parallel == 0 ? 1 : parallel) {}

  /// False: the agent is closed.
  bool enter(const std::shared_ptr<Run>& run);
  void leave(const Run& run);

  enum class Turn { given, given_up, quarantined };
  /// Waits for a place in the driver, until the gate is closed or `give_up` is true (looked at again after wake()).
  Turn take_turn(const std::function<bool()>& give_up);
  void end_turn();
  void wake();
  /// The instance is not to be entered again: an earlier run of it never ended.
  void quarantine();

  /// Lets no run in any more, cancels those that are and waits until they have left.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Run>> runs_;
  std::uint32_t free_;
  bool closed_ = false;
  bool quarantined_ = false;
};

}  // namespace attache::run
