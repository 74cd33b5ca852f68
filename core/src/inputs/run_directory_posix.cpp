// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs/descriptor_posix.hpp"
#include "inputs/fault.hpp"
#include "inputs/run_directory.hpp"
#include "inputs/run_providers.hpp"
#include "inputs/run_sweep.hpp"

namespace attache::inputs {
namespace {

FaultError write_fault(int error) {
  const std::string detail = std::system_category().message(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return {errc::input_materialization_failed, "disk_full", "there is no room for its copy", detail};
  }
  return {errc::input_materialization_failed, "write_failed", "writing its copy failed", detail};
}

std::optional<FileIdentity> stat_of(int file) noexcept {
  constexpr std::int64_t second = 1'000'000'000;
  struct stat info {};
  if (::fstat(file, &info) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
                      std::int64_t{info.st_ctim.tv_sec} * second + info.st_ctim.tv_nsec};
}

/// Unset unless an experiment shows that a change right after fstat() moves the changed time. Before Linux 6.13, and on
/// some file systems since, that time moves with the clock's tick, at most 1000 times a second: then two changes within
/// a millisecond cannot both move it.
std::optional<FileIdentity> identity_of(int file) noexcept {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<FileIdentity> last = stat_of(file);
  for (int change = 0; change < 2; ++change) {
    if (!last || ::fchmod(file, S_IRUSR) != 0) return std::nullopt;
    const std::optional<FileIdentity> next = stat_of(file);
    if (!next || next->changed_ns <= last->changed_ns) return std::nullopt;
    last = next;
  }
  if (std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(1)) return std::nullopt;
  return last;
}

class PosixRunFile final : public RunFile {
 public:
  explicit PosixRunFile(FileDescriptor file) noexcept : file_(std::move(file)) {}

  std::uint64_t size() const noexcept override { return size_; }

  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const override {
    std::size_t filled = 0;
    while (filled < out.size()) {
      const ssize_t count =
          ::pread(file_.get(), out.data() + filled, out.size() - filled, static_cast<off_t>(offset + filled));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw FaultError(errc::input_materialization_failed, "read_failed", "reading its copy failed");
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  }

  void write(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw write_fault(errno);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      size_ += static_cast<std::uint64_t>(count);
    }
  }

  std::optional<FileIdentity> close() override {
    const std::optional<FileIdentity> identity = identity_of(file_.get());
    if (file_ && ::close(file_.release()) != 0 && errno != EINTR) throw write_fault(errno);
    return identity;
  }

 private:
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

class PosixRunDirectory final : public RunDirectory {
 public:
  PosixRunDirectory(RunBase base, std::string name, FileDescriptor directory)
      : base_(std::move(base)),
        name_(std::move(name)),
        path_(base_.path == "/" ? "/" + name_ : base_.path + "/" + name_),
        directory_(std::move(directory)) {}
  ~PosixRunDirectory() override { PosixRunDirectory::remove(); }

  const std::string& path() const noexcept override { return path_; }

  std::unique_ptr<RunFile> create(const std::string& name) override {
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    FileDescriptor file(::openat(directory_.get(), name.c_str(), flags, S_IRUSR));
    if (!file || ::fchmod(file.get(), S_IRUSR) != 0) throw write_fault(errno);
    return std::make_unique<PosixRunFile>(std::move(file));
  }

  const std::string& private_directory() override {
    if (!private_.empty()) return private_;
    constexpr const char* name = "private";
    // The mode given to mkdirat() was cut by the process's umask.
    if (::mkdirat(directory_.get(), name, S_IRWXU) != 0 || ::fchmodat(directory_.get(), name, S_IRWXU, 0) != 0) {
      throw write_fault(errno);
    }
    private_ = path_ + "/" + name;
    return private_;
  }

  void note_group(std::int64_t pgid, std::uint64_t start_time) override {
    append_provider(directory_.get(), pgid, start_time);
  }

  void remove() noexcept override {
    if (!std::exchange(there_, false)) return;
    remove_tree(base_.directory, name_.c_str());
    directory_ = FileDescriptor();
  }

 private:
  RunBase base_;
  std::string name_, path_, private_;
  FileDescriptor directory_;  ///< holds the lock
  bool there_ = true;
};

/// Whether the name still leads to the open directory: a sweep may have taken it before it was locked.
bool is_still_there(int base, const char* name, int directory) noexcept {
  struct stat opened {
  }, named{};
  return ::fstat(directory, &opened) == 0 && ::fstatat(base, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

std::unique_ptr<RunDirectory> RunDirectory::make(RunBase base, Holds holds) {
  constexpr int tries = 16;
  for (int i = 0; i < tries; ++i) {
    const std::string name = run_directory_name(holds);
    if (::mkdirat(base.directory, name.c_str(), S_IRWXU) != 0) {
      if (errno == EEXIST) continue;
      throw write_fault(errno);
    }
    // The mode given to mkdirat() was cut by the process's umask.
    ::fchmodat(base.directory, name.c_str(), S_IRWXU, 0);
    FileDescriptor directory(::openat(base.directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (directory && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0 &&
        is_still_there(base.directory, name.c_str(), directory.get())) {
      return std::make_unique<PosixRunDirectory>(std::move(base), name, std::move(directory));
    }
    remove_tree(base.directory, name.c_str());
  }
  throw FaultError(errc::input_materialization_failed, "run_base_failed", "no run directory could be made");
}

}  // namespace attache::inputs
