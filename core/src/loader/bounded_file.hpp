// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace attache {

/// What the file system says of an open file. Two facts of one file are equal as long as nobody wrote to it.
struct FileFacts {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified_ns = 0, changed_ns = 0;
  std::uint32_t owner = 0, permissions = 0;
  bool operator==(const FileFacts&) const = default;
};

/// A regular file, opened once and read by position. Nothing else is ever opened for reading: a FIFO does not
/// block and a device is not touched. Symbolic links are resolved first, and the file they lead to is opened.
class BoundedFile {
 public:
  struct Opened;
  static Opened open(const std::filesystem::path& path);

  BoundedFile(BoundedFile&& other) noexcept;
  BoundedFile& operator=(BoundedFile&& other) noexcept;
  ~BoundedFile();

  const FileFacts& facts() const noexcept { return facts_; }
  /// The path without symbolic links.
  const std::filesystem::path& real_path() const noexcept { return real_path_; }
  std::uint64_t size() const noexcept { return facts_.size; }
  /// All of `buffer`, or false: a place outside of the file as it was opened, an error, or a file that shrank.
  bool read(std::uint64_t offset, std::span<unsigned char> buffer) const noexcept;
  int descriptor() const noexcept { return descriptor_; }
  /// Whether the file is still what it was when it was opened.
  bool unchanged() const noexcept;

 private:
  BoundedFile(int descriptor, FileFacts facts, std::filesystem::path real_path) noexcept;

  int descriptor_ = -1;
  FileFacts facts_;
  std::filesystem::path real_path_;
};

struct BoundedFile::Opened {
  std::optional<BoundedFile> file;
  std::string reason;  ///< without a file: not_found, not_regular, unreadable
};

}  // namespace attache
