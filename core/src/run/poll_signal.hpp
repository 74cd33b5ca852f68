// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attache::run {

/// A descriptor that is readable while a flag is set, for poll and its like. One thread at a time.
class PollSignal {
 public:
  PollSignal() noexcept = default;
  ~PollSignal();
  PollSignal(const PollSignal&) = delete;
  PollSignal& operator=(const PollSignal&) = delete;

  /// Made by the first call; -1: it could not be made.
  int descriptor() noexcept;
  /// Costs nothing while there is no descriptor.
  void set(bool readable) noexcept;

 private:
  void write_state() noexcept;
  int descriptor_ = -1;
  bool wanted_ = false;
  bool readable_ = false;  ///< what the descriptor shows
};

}  // namespace attache::run
