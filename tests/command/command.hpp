// SPDX-License-Identifier: Apache-2.0
// Built programs as children of a test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace attache::test {

struct CommandOptions {
  std::string input;                     ///< standard input, then its end
  std::string directory;                 ///< working directory; empty: the test's own
  std::vector<std::string> environment;  ///< "NAME=value", added to the test's own
  bool terminal = false;                 ///< standard output and error are one terminal; all comes as output
};

struct Finished {
  int exit_code = -1;  ///< -1: ended by `signal`
  int signal = 0;
  std::string out, err;
};

/// A started program. Ended and reaped by wait() or the destructor.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments, const CommandOptions& options = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reads until `text` stands in the output. False: the output ended first.
  bool wait_for_output(std::string_view text);
  void send_signal(int signal) const;
  /// No one reads the output any more.
  void close_output();
  /// Reads to the end and reaps.
  Finished wait();

 private:
  bool read_some();

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string pending_input_;
  Finished finished_;
};

Finished run_command(const std::vector<std::string>& arguments, const CommandOptions& options = {});

/// A fresh directory, removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const noexcept { return path_; }
  /// Writes a file, making its folders, and returns its path.
  std::string write(const std::string& name, std::string_view content) const;

 private:
  std::string path_;
};

std::string read_file(const std::string& path);

}  // namespace attache::test
