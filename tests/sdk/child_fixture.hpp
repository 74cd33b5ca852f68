// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <attache/sdk/child_process.hpp>

namespace attache::sdk::testing {

inline SpawnOptions child(std::vector<std::string> arguments) {
  SpawnOptions options;
  options.executable = SDK_TEST_CHILD;
  options.arguments = std::move(arguments);
  return options;
}

/// So many bytes of 'a', then the end; or an exception.
class FakeSource final : public ByteSource {
 public:
  explicit FakeSource(std::uint64_t size, bool throws = false) : left_(size), throws_(throws) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer.size()));
    if (count == 0 && throws_) throw std::runtime_error("source");
    std::fill_n(buffer.begin(), count, 'a');
    left_ -= count;
    return count;
  }

 private:
  std::uint64_t left_;
  bool throws_;
};

struct Outcome {
  PumpEnd end = PumpEnd::stopped;
  std::string output;
  std::string error;
};

inline ChildProcess::Limits far_deadline() {
  ChildProcess::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  return limits;
}

inline Outcome pump(ChildProcess& process, const ChildProcess::Limits& limits = far_deadline()) {
  Outcome outcome;
  ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) {
    outcome.output += bytes;
    return true;
  };
  handlers.on_stderr = [&](std::string_view bytes) {
    outcome.error += bytes;
    return true;
  };
  outcome.end = process.pump(handlers, limits);
  return outcome;
}

/// Reads standard output up to its first line end.
inline std::string first_line(ChildProcess& process) {
  std::string line;
  ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) {
    line += bytes;
    return line.find('\n') == std::string::npos;
  };
  EXPECT_EQ(process.pump(handlers, far_deadline()), PumpEnd::stopped);
  return line.substr(0, line.find('\n'));
}

/// Is it there and no zombie?
inline bool is_running(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && std::strchr("ZX", text[name_end + 2]) == nullptr;
}

/// Is it there, zombie or not?
inline bool exists(std::int64_t pid) {
  return std::ifstream("/proc/" + std::to_string(pid) + "/stat").good();
}

}  // namespace attache::sdk::testing
