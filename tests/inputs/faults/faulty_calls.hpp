// SPDX-License-Identifier: Apache-2.0
// Calls of the system that fail or come short when a test says so. The program that links this has its own read(),
// write(), … in front of those of the C library: no privilege is needed, and no file system has to be of a kind.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>

namespace attache::testing {

/// `create`: an open that may make the file.
enum class Call { open, create, make_directory, change_mode, read, read_at, write, close };

struct Answer {
  int error = 0;                                               ///< not 0: the call fails with it
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< else: so many bytes at most; 0 is the end of a file,
                                                               ///< or a change of mode that changes nothing
};

/// Lets each call of every thread be answered by a plan, while it lives. One at a time.
class FaultyCalls {
 public:
  /// Called under a lock; makes no call itself.
  using Plan = std::function<Answer(Call)>;
  explicit FaultyCalls(Plan plan);
  ~FaultyCalls();
  FaultyCalls(const FaultyCalls&) = delete;
  FaultyCalls& operator=(const FaultyCalls&) = delete;
};

}  // namespace attache::testing
