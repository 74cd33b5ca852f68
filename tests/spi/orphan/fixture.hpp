// SPDX-License-Identifier: Apache-2.0
// Hosts that are killed, and what is left of them.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

namespace attache::testing {

/// Somebody else's process: has it ended?
class Watched {
 public:
  explicit Watched(int pid) : pid_(pid), descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int pid() const { return pid_; }
  bool lives() const { return descriptor_ >= 0 && !ended_within(0); }
  bool ended_within(int milliseconds) const {
    pollfd watched{descriptor_, POLLIN, 0};
    return descriptor_ < 0 || ::poll(&watched, 1, milliseconds) == 1;
  }

 private:
  int pid_, descriptor_;
};

/// A started host, read line by line.
class HostProcess {
 public:
  explicit HostProcess(const sdk::SpawnOptions& options) : child_(sdk::ChildProcess::spawn(options)) {}

  /// The next line; empty when the output ended.
  std::string line() {
    sdk::ChildProcess::Handlers handlers;
    handlers.on_stdout = [this](std::string_view bytes) {
      text_ += bytes;
      return text_.find('\n') == std::string::npos;
    };
    sdk::ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    if (text_.find('\n') == std::string::npos) child_.pump(handlers, limits);
    const std::string line = text_.substr(0, text_.find('\n'));
    text_.erase(0, line.size() + 1);
    return line;
  }
  void send(int signal) const { ::kill(static_cast<pid_t>(child_.pid()), signal); }
  sdk::ExitStatus kill() {
    send(SIGKILL);
    return end();
  }
  sdk::ExitStatus end() { return child_.end(std::chrono::seconds(60)); }

 private:
  sdk::ChildProcess child_;
  std::string text_;
};

class OrphanTest : public ::testing::Test {
 protected:
  OrphanTest() {
    std::string name = (std::filesystem::temp_directory_path() / "attache-orphans-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    root = name;
    base = root / "runs";
    temporary = root / "tmp";
    for (const auto& one : {base, temporary}) {
      std::filesystem::create_directory(one);
      std::filesystem::permissions(one, std::filesystem::perms::owner_all);
    }
  }
  ~OrphanTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  static std::vector<std::filesystem::path> entries(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> found;
    for (const auto& one : std::filesystem::directory_iterator(directory)) found.push_back(one.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  /// Everything below it whose last name is this one.
  static std::size_t count_below(const std::filesystem::path& directory, const std::string& name) {
    std::size_t count = 0;
    for (const auto& one : std::filesystem::recursive_directory_iterator(directory)) {
      count += one.path().filename() == name ? 1 : 0;
    }
    return count;
  }

  std::filesystem::path root, base, temporary;
};

}  // namespace attache::testing
