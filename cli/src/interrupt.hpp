// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, as a stop request.
#pragma once

#include <stop_token>
#include <thread>

namespace attache::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP requests a stop and the second ends the process at once
/// with exit code 130. A signal that was ignored when the process began stays ignored. To be made before any
/// other thread, once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread watcher_;
};

}  // namespace attache::cli
