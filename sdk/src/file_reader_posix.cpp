// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_reader.hpp"

namespace attache::sdk {

FileReader::~FileReader() {
  close();
}

void FileReader::close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

bool FileReader::open(const std::string& path, std::uint64_t& size) {
  close();
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  size = static_cast<std::uint64_t>(info.st_size);
  return true;
}

std::optional<FileIdentity> FileReader::identity() const noexcept {
  constexpr std::int64_t second = 1'000'000'000;
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
                      std::int64_t{info.st_ctim.tv_sec} * second + info.st_ctim.tv_nsec};
}

bool FileReader::read(std::span<std::uint8_t> buffer, std::size_t& count) {
  count = 0;
  while (count < buffer.size()) {
    const ssize_t got = ::read(descriptor_, buffer.data() + count, buffer.size() - count);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    count += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace attache::sdk
