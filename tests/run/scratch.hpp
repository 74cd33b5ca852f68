// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <attache/input.hpp>

namespace attache::test {

/// A directory of the test's own, with a base for run directories in it.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path base() const { return path_ / "runs"; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const;
  /// Entries of the base: run directories that are still there.
  std::size_t run_directories() const;

 private:
  std::filesystem::path path_;
};

/// Something one thread says once and another waits for.
class Signal {
 public:
  void set();
  void wait();
  bool is_set() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

/// Of this process.
std::size_t thread_count();
/// Text of `size` bytes that repeats nowhere.
std::string long_text(std::size_t size);
/// Bytes with no pattern, the same each time.
std::string noise(std::size_t size);
input::Input text_input(std::string_view text);
std::string read_file(const std::filesystem::path& path);

}  // namespace attache::test
