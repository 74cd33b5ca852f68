// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tap/process.hpp"

namespace attache::conformance {
namespace {

int number_of(const std::string& word) {
  static const std::map<std::string, int> numbers{{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"SEGV", SIGSEGV},
                                                  {"ABRT", SIGABRT}, {"INT", SIGINT},   {"HUP", SIGHUP},
                                                  {"PIPE", SIGPIPE}};
  return numbers.at(word);
}

}  // namespace

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::int64_t own_pid() {
  return ::getpid();
}

void ignore_signal(const std::string& word) {
  std::signal(number_of(word), SIG_IGN);
}

void end_by_signal(const std::string& word) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(number_of(word), SIG_DFL);
  ::kill(::getpid(), number_of(word));
  wait_forever();
}

std::int64_t leave_grandchild(bool holds_outputs) {
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::system_error(errno, std::generic_category(), "no process");
  }
  if (child > 0) {
    return child;
  }
  // Only calls that are safe after a fork of a process with threads.
  ::alarm(120);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  if (!holds_outputs) {
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  ::close_range(3, ~0u, 0);
  for (;;) {
    ::pause();
  }
}

void limit_lifetime(unsigned seconds) {
  ::alarm(seconds);
}

void wait_forever() {
  for (;;) {
    ::pause();
  }
}

}  // namespace attache::conformance
