// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs/fault.hpp"
#include "inputs/workspace_placement_home.hpp"

namespace attache::inputs {
namespace {

constexpr const char* ignore_name = ".gitignore";
constexpr std::string_view ignore_text = "*\n";
constexpr int lock_tries = 2000;
constexpr std::chrono::milliseconds lock_pause{1};  ///< others hold the lock only while they make or remove a directory

FaultError untrusted(const char* sentence) {
  return {errc::input_materialization_failed, "workspace_untrusted", sentence};
}

FaultError failed(int error, const char* sentence) {
  const std::string detail = std::system_category().message(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return {errc::input_materialization_failed, "disk_full", "there is no room for its copy in the workspace", detail};
  }
  return {errc::input_materialization_failed, "workspace_failed", sentence, detail};
}

/// Also when the umask took our own rights to it away.
FileDescriptor open_home(int workspace) noexcept {
  constexpr int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const FileDescriptor place(::openat(workspace, home_name, O_PATH | flags));
  struct stat found {};
  if (place && ::fstat(place.get(), &found) == 0 && found.st_uid == ::geteuid() &&
      (found.st_mode & S_IRWXU) != S_IRWXU) {
    ::chmod(fmt::format("/proc/self/fd/{}", place.get()).c_str(), S_IRWXU);
  }
  return FileDescriptor(::openat(workspace, home_name, O_RDONLY | flags));
}

bool is_own(int home) noexcept {
  struct stat found {};
  return ::fstat(home, &found) == 0 && found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

enum class Ignore { whole, unfinished, absent, foreign };

Ignore look_at_ignore(int home) noexcept {
  const FileDescriptor file(::openat(home, ignore_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return errno == ENOENT ? Ignore::absent : Ignore::foreign;
  struct stat found {};
  std::array<char, ignore_text.size() + 1> text{};
  if (::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) {
    return Ignore::foreign;
  }
  const ssize_t count = ::read(file.get(), text.data(), text.size());
  if (count < 0) return Ignore::foreign;
  const std::string_view content(text.data(), static_cast<std::size_t>(count));
  if (content == ignore_text) return Ignore::whole;
  return ignore_text.starts_with(content) ? Ignore::unfinished : Ignore::foreign;
}

bool write_all(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void ensure_ignored(int home) {
  const Ignore there = look_at_ignore(home);
  if (there == Ignore::whole) return;
  if (there == Ignore::foreign) {
    throw untrusted("\".attache\" in the workspace holds a \".gitignore\" that is not of this program");
  }
  // One that a killed host did not finish.
  if (there == Ignore::unfinished) ::unlinkat(home, ignore_name, 0);
  const FileDescriptor file(
      ::openat(home, ignore_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file && ::fchmod(file.get(), S_IRUSR | S_IWUSR) == 0 && write_all(file.get(), ignore_text)) return;
  const int error = errno;
  ::unlinkat(home, ignore_name, 0);
  throw failed(error, "nothing can be written to \".attache\" in the workspace");
}

bool holds_only_ignore(int home) noexcept {
  struct Close {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
  };
  const int again = ::openat(home, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, Close> directory(again < 0 ? nullptr : ::fdopendir(again));
  if (!directory) {
    if (again >= 0) ::close(again);
    return false;
  }
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != ignore_name) return false;
  }
  return true;
}

}  // namespace

bool is_named(int parent, const char* name, int file) noexcept {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

FileDescriptor open_exactly(const std::string& path) noexcept {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  FileDescriptor at(::open("/", flags));
  for (std::size_t begin = 1; at && begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) at = FileDescriptor(::openat(at.get(), path.substr(begin, end - begin).c_str(), flags));
    begin = end + 1;
  }
  return at;
}

FileDescriptor lock_home(int workspace) {
  for (int i = 0; i < lock_tries; ++i) {
    if (::mkdirat(workspace, home_name, S_IRWXU) != 0 && errno != EEXIST) {
      throw failed(errno, "\".attache\" cannot be made in the workspace");
    }
    FileDescriptor home = open_home(workspace);
    if (!home && errno == ENOENT) continue;
    if (!home && (errno == ELOOP || errno == ENOTDIR)) {
      throw untrusted("\".attache\" in the workspace is not a directory, or a link to one");
    }
    if (!home) throw failed(errno, "\".attache\" in the workspace cannot be opened");
    if (!is_own(home.get())) {
      throw untrusted("\".attache\" in the workspace belongs to someone else, or others may write to it");
    }
    if (::flock(home.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) throw failed(errno, "the file system of the workspace has no locks");
      std::this_thread::sleep_for(lock_pause);
      continue;
    }
    if (!is_named(workspace, home_name, home.get())) continue;
    ensure_ignored(home.get());
    return home;
  }
  throw failed(EBUSY, "\".attache\" in the workspace is held by another program");
}

HomeState lock_present_home(int workspace, FileDescriptor& home) noexcept {
  for (int i = 0; i < lock_tries; ++i) {
    FileDescriptor found = open_home(workspace);
    if (!found || !is_own(found.get())) return HomeState::absent;
    if (::flock(found.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return HomeState::busy;
      std::this_thread::sleep_for(lock_pause);
      continue;
    }
    if (!is_named(workspace, home_name, found.get())) continue;
    home = std::move(found);
    return HomeState::locked;
  }
  return HomeState::busy;
}

void remove_home_if_empty(int workspace, int home) noexcept {
  if (!holds_only_ignore(home) || !is_named(workspace, home_name, home)) return;
  const Ignore ignore = look_at_ignore(home);
  if (ignore == Ignore::foreign) return;
  if (ignore != Ignore::absent && ::unlinkat(home, ignore_name, 0) != 0) return;
  if (::unlinkat(workspace, home_name, AT_REMOVEDIR) == 0) return;
  try {
    // Something else appeared in between, and stays hidden.
    ensure_ignored(home);
  } catch (const FaultError&) {
    return;
  }
}

}  // namespace attache::inputs
