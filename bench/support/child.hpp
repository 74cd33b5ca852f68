// SPDX-License-Identifier: Apache-2.0
// A child process by plain posix_spawn, to compare with.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace attache::bench {

/// Started with a pipe on each standard stream, that of the input 1 MiB large. Throws std::system_error.
class PlainChild {
 public:
  PlainChild(const std::filesystem::path& executable, const std::vector<std::string>& arguments);
  PlainChild(const PlainChild&) = delete;
  PlainChild& operator=(const PlainChild&) = delete;
  ~PlainChild();

  int input() const noexcept { return input_; }
  /// Up to `mark` in its output, or the end of it.
  std::string read_until(char mark) const;
  void close_input();
  /// Closes the input, reads the output to its end and reaps. Throws when it failed.
  void finish();

 private:
  int input_ = -1, output_ = -1, error_ = -1;
  pid_t pid_ = -1;
};

/// Forks, runs `body` in the child, and gives the numbers that it found. For what changes its process for good.
/// Call it only while the process has no other thread.
std::vector<double> in_fork(const std::function<std::vector<double>()>& body);

/// A program of this build's bench directory.
std::filesystem::path beside_us(const std::string& name);
/// The build directory, which is laid out like an installation.
std::filesystem::path build_prefix();

}  // namespace attache::bench
