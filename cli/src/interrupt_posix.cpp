// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>

#include <pthread.h>

#include "exit_codes.hpp"
#include "interrupt.hpp"

namespace attache::cli {
namespace {

constexpr int end_of_watch = SIGUSR1;

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, end_of_watch);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) {
      sigaddset(&signals, signal);
    }
  }
  return signals;
}

void watch(sigset_t signals, std::stop_source source) {
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal != end_of_watch) {
    if (!source.request_stop()) {
      std::_Exit(static_cast<int>(ExitCode::cancelled));
    }
  }
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  watcher_ = std::thread(watch, signals, source_);
}

Interrupt::~Interrupt() {
  pthread_kill(watcher_.native_handle(), end_of_watch);
  watcher_.join();
}

}  // namespace attache::cli
