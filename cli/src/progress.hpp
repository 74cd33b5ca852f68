// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "printer.hpp"

namespace attache::cli {

/// A status line "sending 2 inputs, 34.0 MiB … 3 s" from construction until done(): only on a terminal, and only
/// for inputs of 1 MiB or more together.
class Progress {
 public:
  Progress(Printer& printer, std::size_t inputs, std::uint64_t bytes);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The provider began to answer. Idempotent.
  void done();

 private:
  Printer& printer_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace attache::cli
