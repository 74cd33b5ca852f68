// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace attache::conformance {

/// Reads a file in pieces. Throws std::system_error.
class FileStream {
 public:
  static constexpr std::uint64_t to_end = std::numeric_limits<std::uint64_t>::max();

  explicit FileStream(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "rbe")) {
    if (!file_) {
      throw std::system_error(errno, std::generic_category(), "a record could not be opened");
    }
  }
  /// Hands on the bytes [begin, end), or to the end of the file, in pieces with their offsets, until told false.
  void read_range(std::uint64_t begin, std::uint64_t end,
                  const std::function<bool(std::string_view, std::uint64_t)>& on_bytes) {
    if (::fseeko(file_.get(), static_cast<off_t>(begin), SEEK_SET) != 0) {
      throw std::system_error(errno, std::generic_category(), "a record could not be read");
    }
    std::string buffer(64 * 1024, '\0');
    for (std::uint64_t at = begin; at < end;) {
      const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - at));
      const std::size_t count = std::fread(buffer.data(), 1, most, file_.get());
      if (count == 0) {
        if (std::ferror(file_.get()) != 0) {
          throw std::system_error(errno, std::generic_category(), "a record could not be read");
        }
        return;
      }
      if (!on_bytes(std::string_view(buffer.data(), count), at)) {
        return;
      }
      at += count;
    }
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace attache::conformance
