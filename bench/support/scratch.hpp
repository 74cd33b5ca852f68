// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace attache::bench {

enum class Where {
  disk,   ///< TMPDIR, or /tmp
  tmpfs,  ///< /dev/shm
};

/// A private directory, removed with all in it.
class Scratch {
 public:
  explicit Scratch(Where where);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  const std::filesystem::path& path() const noexcept { return path_; }
  /// A file of random bytes, written to memory and to the disk.
  std::filesystem::path file(const std::string& name, std::size_t size) const;
  /// An empty directory that is fit for run directories.
  std::filesystem::path base() const;

 private:
  std::filesystem::path path_;
};

/// The same bytes in each process.
std::string random_bytes(std::size_t size);

}  // namespace attache::bench
