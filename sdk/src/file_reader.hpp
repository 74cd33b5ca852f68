// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <attache/sdk/file_identity.hpp>

namespace attache::sdk {

/// Reads one regular file from its beginning. Never follows a link in the last component, never blocks on a
/// pipe or device, is not inherited by a child process.
class FileReader {
 public:
  FileReader() = default;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// False when there is no such regular file or it cannot be opened.
  bool open(const std::string& path, std::uint64_t& size);
  /// Fills `buffer` unless the file ends before; false on an error.
  bool read(std::span<std::uint8_t> buffer, std::size_t& count);
  /// As the file is now; unset on an error.
  std::optional<FileIdentity> identity() const noexcept;
  void close() noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace attache::sdk
