// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/error.hpp>
#include <attache/sdk/sha256.hpp>

#include "inputs/descriptor_posix.hpp"
#include "thread/lease_directory.hpp"

namespace attache::threads {
namespace {

using inputs::FileDescriptor;

[[noreturn]] void fail() {
  throw Error(errc::thread_store, "lease_failed", "a thread's lock file could not be made");
}

[[noreturn]] void fail_unsafe() {
  throw Error(errc::thread_store, "lease_directory_unsafe",
              "the directory of lock files beside the thread store is not a private directory of this user");
}

int lock(int file) {
  int result = 0;
  do {
    result = ::flock(file, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

struct LeaseDirectory::Directory {
  FileDescriptor file;
};

namespace {

class FileLease final : public ThreadLease {
 public:
  FileLease(std::shared_ptr<const void> owner, int directory, std::string name) noexcept
      : owner_(std::move(owner)), directory_(directory), name_(std::move(name)) {}
  // Removed before it is unlocked: whoever locked it meanwhile sees that it is no longer the one of this name.
  ~FileLease() override {
    if (held_) {
      ::unlinkat(directory_, name_.c_str(), 0);
      ::flock(file_, LOCK_UN);  // closing is not enough while a child between fork and exec has a copy
    }
    if (file_ >= 0) ::close(file_);
  }

  bool take() {
    for (;;) {
      file_ = ::openat(directory_, name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
      if (file_ < 0) fail();
      if (lock(file_) != 0) {
        if (errno != EWOULDBLOCK) fail();
        return false;
      }
      if (is_current()) break;
      ::close(std::exchange(file_, -1));
    }
    held_ = true;
    return true;
  }

 private:
  bool is_current() const {
    struct stat mine {
    }, named{};
    if (::fstat(file_, &mine) != 0) fail();
    if (::fstatat(directory_, name_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) fail();
      return false;
    }
    return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
  }

  std::shared_ptr<const void> owner_;  // keeps the directory open
  int directory_;
  std::string name_;
  int file_ = -1;
  bool held_ = false;
};

}  // namespace

LeaseDirectory::LeaseDirectory(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail();
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) {
    if (errno == ENOTDIR || errno == ELOOP) fail_unsafe();
    fail();
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail();
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) fail_unsafe();
  directory_ = std::make_shared<const Directory>(Directory{std::move(file)});
}

std::unique_ptr<ThreadLease> LeaseDirectory::lease(std::string_view key) const {
  auto lease = std::make_unique<FileLease>(directory_, directory_->file.get(), sdk::to_hex(sdk::sha256(key)) + ".lock");
  if (!lease->take()) return nullptr;
  return lease;
}

}  // namespace attache::threads
