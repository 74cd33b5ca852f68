// SPDX-License-Identifier: Apache-2.0
#include <clocale>
#include <csignal>

#include <sys/stat.h>
#include <unistd.h>

#include "check/processes.hpp"
#include "checks/process_state.hpp"

namespace attache::conformance {

ProcessState ProcessState::now(const JobContext& context) {
  ProcessState state;
  for (char** entry = environ; *entry != nullptr; ++entry) state.environment.emplace_back(*entry);
  state.descriptors = open_descriptors();
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    state.signals.push_back(reinterpret_cast<std::uintptr_t>(action.sa_handler));
  }
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) state.blocked += sigismember(&blocked, signal) == 1 ? '1' : '0';
  state.locale = std::setlocale(LC_ALL, nullptr);
  state.directory = std::filesystem::current_path().string();
  state.mask = ::umask(0);
  ::umask(static_cast<mode_t>(state.mask));
  state.threads = thread_count();
  for (const char* name : {"stdout", "stderr"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(context.spec().scratch / name, error);
    if (!error) state.output += size;
  }
  return state;
}

std::vector<std::string> ProcessState::changes_since(const ProcessState& before) const {
  std::vector<std::string> changes;
  auto same = [&](bool holds, const char* what) {
    if (!holds) changes.emplace_back(std::string(what) + " changed");
  };
  same(environment == before.environment, "the environment");
  same(descriptors == before.descriptors, "the set of open descriptors");
  same(signals == before.signals, "a signal disposition");
  same(blocked == before.blocked, "the signal mask");
  same(locale == before.locale, "the locale");
  same(directory == before.directory, "the working directory");
  same(mask == before.mask, "the file mode mask");
  same(threads == before.threads, "the number of threads");
  if (output != before.output) changes.emplace_back("something was written to standard output or error");
  return changes;
}

}  // namespace attache::conformance
