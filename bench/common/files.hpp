// SPDX-License-Identifier: Apache-2.0
// Files to measure with, and the plain system calls that are the limit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace attache::bench {

/// A private directory, removed with all in it.
class Place {
 public:
  explicit Place(const std::filesystem::path& below);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// On the disk: TMPDIR, else /var/tmp.
std::filesystem::path on_disk();
/// In memory.
inline constexpr const char* on_tmpfs = "/dev/shm";

/// Bytes without a pattern.
std::string noise(std::size_t size);

/// Reads a file and writes it to a new one, 256 KiB at a time. Ends the program when that fails.
void read_and_write(const std::string& from, const std::string& to);
/// SHA-256 of memory, 256 KiB at a time.
void hash_memory(std::string_view bytes);

/// Says what failed and ends the program: a benchmark of something else than was meant is worse than none.
[[noreturn]] void give_up(const std::string& what);

}  // namespace attache::bench
