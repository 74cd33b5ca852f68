// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/bounded_file.hpp"

namespace attache {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::optional<FileFacts> facts_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  FileFacts out;
  out.device = status.st_dev;
  out.inode = status.st_ino;
  out.size = static_cast<std::uint64_t>(status.st_size);
  out.modified_ns = nanoseconds(status.st_mtim);
  out.changed_ns = nanoseconds(status.st_ctim);
  out.owner = status.st_uid;
  out.permissions = status.st_mode & 07777U;
  return out;
}

std::string reason_of(int error) {
  return error == ENOENT || error == ENOTDIR ? "not_found" : "unreadable";
}

}  // namespace

BoundedFile::BoundedFile(int descriptor, FileFacts facts, std::filesystem::path real_path) noexcept
    : descriptor_(descriptor), facts_(facts), real_path_(std::move(real_path)) {}

BoundedFile::BoundedFile(BoundedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      facts_(other.facts_),
      real_path_(std::move(other.real_path_)) {}

BoundedFile& BoundedFile::operator=(BoundedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(facts_, other.facts_);
  std::swap(real_path_, other.real_path_);
  return *this;
}

BoundedFile::~BoundedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

BoundedFile::Opened BoundedFile::open(const std::filesystem::path& path) {
  Opened out;
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) {
    out.reason = reason_of(error.value());
    return out;
  }
  // The place is taken without opening what is there; only a regular file is then opened, through that very handle.
  const int place = ::open(real.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) {
    out.reason = reason_of(errno);
    return out;
  }
  if (!facts_of(place)) {
    ::close(place);
    out.reason = "not_regular";
    return out;
  }
  const int descriptor = ::open(fmt::format("/proc/self/fd/{}", place).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  ::close(place);
  const std::optional<FileFacts> facts = descriptor < 0 ? std::nullopt : facts_of(descriptor);
  if (!facts) {
    if (descriptor >= 0) ::close(descriptor);
    out.reason = "unreadable";
    return out;
  }
  out.file = BoundedFile(descriptor, *facts, std::move(real));
  return out;
}

bool BoundedFile::read(std::uint64_t offset, std::span<unsigned char> buffer) const noexcept {
  if (offset > facts_.size || buffer.size() > facts_.size - offset) return false;
  while (!buffer.empty()) {
    const ssize_t got = ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    buffer = buffer.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool BoundedFile::unchanged() const noexcept {
  return facts_of(descriptor_) == facts_;
}

}  // namespace attache
