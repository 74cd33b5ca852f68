// SPDX-License-Identifier: Apache-2.0
// attache-probe <driver>: loads a driver as a host would, and writes one line with the outcome to standard output.
// Exit code 0: the driver can be loaded. 1: the line says why not. 2: wrong use.
#include <cstdio>
#include <exception>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loader/load_driver.hpp"
#include "loader/probe_result.hpp"

namespace {

/// Keeps standard output for the result: what the driver writes goes nowhere.
int take_output() {
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDOUT_FILENO);
  return out;
}

attache::StepResult probe(const char* path) {
  attache::HostOptions options;  // rights and trust were the host's to decide
  options.allow_other_owners = true;
  options.allow_writable_by_others = true;
  const attache::StaticCheck check = attache::check_statically(path, options);
  if (check.result.failed()) return check.result;
  attache::LoadedDriver driver;
  return attache::load_in_process(check, driver);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int out = take_output();
  try {
    const attache::StepResult result = probe(argv[1]);
    const std::string line = attache::probe_line(result) + '\n';
    const bool written = ::write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    return written && !result.failed() ? 0 : 1;
  } catch (const std::exception&) {
    return 1;
  }
}
