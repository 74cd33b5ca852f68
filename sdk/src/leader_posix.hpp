// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <sys/types.h>

#include <attache/sdk/child_process.hpp>

#include "descriptor_posix.hpp"

namespace attache::sdk {

/// A child that leads its own process group: has it gone, how did it end, and signals to the group that never
/// reach anybody else.
class Leader {
 public:
  /// `pid` was just started by this process.
  explicit Leader(pid_t pid) noexcept;

  pid_t pid() const noexcept { return pid_; }
  /// When it started, see ProcessGroup; 0 when that could not be read.
  std::uint64_t start_time() const noexcept { return start_time_; }
  /// Readable once the leader has gone; -1 when the system gives none, then gone() must be asked again and again.
  int descriptor() const noexcept { return descriptor_.get(); }
  /// Has it ended? It may still wait to be reaped.
  bool gone() noexcept;
  /// Does a process of the group live, the leader included?
  bool group_alive() noexcept;
  /// To the whole group, and with KILL also to a leader that has left it.
  void signal_group(int signal) noexcept;
  /// Reaps a leader that has gone. `unknown` when somebody else did.
  ExitStatus reap() noexcept;

 private:
  void refresh() noexcept;

  pid_t pid_;
  std::uint64_t start_time_ = 0;
  Descriptor descriptor_;
  bool gone_ = false;
  bool reaped_ = false;  // by us or by somebody else: the number is not ours any more
  ExitStatus status_;
};

}  // namespace attache::sdk
