// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs/descriptor_posix.hpp"
#include "inputs/fault.hpp"
#include "inputs/run_providers.hpp"
#include "inputs/run_sweep.hpp"
#include "inputs/workspace_placement.hpp"

namespace attache::inputs {
namespace {

constexpr std::array<std::string_view, 2> prefixes{"run-", "driver-"};  // in the order of RunDirectory::Holds
constexpr std::size_t digits = 32;

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

int open_directory(int parent, const char* name) noexcept {
  return ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Also when a provider made it without the rights to read or change it.
int open_to_empty(int parent, const char* name) noexcept {
  const FileDescriptor place(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (place && ::fstat(place.get(), &found) == 0 && (found.st_mode & S_IRWXU) != S_IRWXU) {
    ::chmod(fmt::format("/proc/self/fd/{}", place.get()).c_str(), S_IRWXU);
  }
  return open_directory(parent, name);
}

/// Takes the descriptor.
Directory list(int descriptor) noexcept {
  Directory directory(descriptor < 0 ? nullptr : ::fdopendir(descriptor));
  if (!directory && descriptor >= 0) ::close(descriptor);
  return directory;
}

bool is_dots(std::string_view name) noexcept {
  return name == "." || name == "..";
}

/// False: it is still there.
bool remove_entry(int directory, const char* name) noexcept {
  if (::unlinkat(directory, name, 0) == 0 || errno == ENOENT) return true;
  return (errno == EISDIR || errno == EPERM) && remove_tree(directory, name);
}

std::vector<std::string> run_directories(int base) {
  std::vector<std::string> names;
  const Directory directory = list(open_directory(base, "."));
  if (!directory) return names;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (is_run_directory_name(entry->d_name)) names.emplace_back(entry->d_name);
  }
  return names;
}

/// The directory, locked; invalid when its owner lives, or when it is not ours. While the lock is held here, a host
/// that just made this directory sees that it lost it and makes another.
FileDescriptor take_over(int base, const char* name) noexcept {
  FileDescriptor directory(open_directory(base, name));
  struct stat found {};
  const bool taken = directory && ::fstat(directory.get(), &found) == 0 && found.st_uid == ::geteuid() &&
                     ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
  return taken ? std::move(directory) : FileDescriptor();
}

/// A run may have several directories: the providers of all end before the files of one go.
void sweep(int base, const std::vector<std::string>& names) noexcept {
  for (const std::string& name : names) {
    if (const FileDescriptor left = take_over(base, name.c_str())) end_providers(left.get());
  }
  for (const std::string& name : names) {
    const FileDescriptor left = take_over(base, name.c_str());
    // What a provider still works with is for a later sweep.
    if (!left || !end_providers(left.get()) || !remove_recorded_placement(left.get())) continue;
    remove_tree(base, name.c_str());
  }
}

}  // namespace

std::string random_digits() {
  std::array<unsigned char, digits / 2> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw FaultError(errc::input_materialization_failed, "run_base_failed", "there is no randomness");
    filled += static_cast<std::size_t>(count);
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string run_directory_name(RunDirectory::Holds holds) {
  return std::string(prefixes.at(static_cast<std::size_t>(holds))) + random_digits();
}

bool is_run_directory_name(std::string_view name) noexcept {
  const auto prefix =
      std::find_if(prefixes.begin(), prefixes.end(), [&](std::string_view one) { return name.starts_with(one); });
  if (prefix == prefixes.end() || name.size() != prefix->size() + digits) return false;
  name.remove_prefix(prefix->size());
  return std::all_of(name.begin(), name.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void sweep_at_first_use(int base, const std::string& path) {
  static std::mutex mutex;
  // With the path: a number is given to another directory once its own is gone.
  static std::set<std::tuple<std::string, dev_t, ino_t>> swept;
  struct stat found {};
  if (::fstat(base, &found) != 0) return;
  const std::lock_guard lock(mutex);
  if (!swept.insert({path, found.st_dev, found.st_ino}).second) return;
  sweep(base, run_directories(base));
}

bool remove_tree(int parent, const char* name) noexcept {
  if (const Directory directory = list(open_to_empty(parent, name))) {
    const int descriptor = ::dirfd(directory.get());
    // Some file systems skip entries while a directory shrinks, so it is read until a pass finds nothing.
    for (bool found = true; found;) {
      found = false;
      ::rewinddir(directory.get());
      while (const dirent* entry = ::readdir(directory.get())) {
        if (is_dots(entry->d_name)) continue;
        found = remove_entry(descriptor, entry->d_name) || found;
      }
    }
  }
  return ::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

}  // namespace attache::inputs
