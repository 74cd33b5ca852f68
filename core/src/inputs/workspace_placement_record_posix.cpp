// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs/fault.hpp"
#include "inputs/run_sweep.hpp"
#include "inputs/workspace_placement.hpp"
#include "inputs/workspace_placement_home.hpp"
#include "inputs/workspace_placement_record.hpp"

namespace attache::inputs {
namespace {

constexpr const char* workspace_record = "workspace";
constexpr const char* directory_record = "placement";
constexpr std::size_t longest_record = 8192;

/// A file or directory, and the text that leads to it.
struct Place {
  std::uint64_t device = 0, node = 0;
  std::string text;
};

void write(RunDirectory& run, const char* name, std::string_view text, const struct stat& found) {
  const std::string record = fmt::format("{} {} {}\n", static_cast<std::uint64_t>(found.st_dev),
                                         static_cast<std::uint64_t>(found.st_ino), text);
  const std::unique_ptr<RunFile> file = run.create(name);
  file->write({reinterpret_cast<const std::byte*>(record.data()), record.size()});
  file->close();
}

bool take_number(std::string_view& text, std::uint64_t& number) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length >= text.size() || text[length] != ' ') return false;
  text.remove_prefix(length + 1);
  return true;
}

/// Unset: there is none, or it was not finished.
std::optional<Place> read(int run_directory, const char* name) {
  const FileDescriptor file(::openat(run_directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, longest_record> buffer{};
  const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
  if (count <= 0) return std::nullopt;
  std::string_view text(buffer.data(), static_cast<std::size_t>(count));
  Place place;
  if (text.back() != '\n' || !take_number(text, place.device) || !take_number(text, place.node)) return std::nullopt;
  text.remove_suffix(1);
  place.text = text;
  return place;
}

bool is(const Place& place, int file) noexcept {
  struct stat found {};
  return ::fstat(file, &found) == 0 && found.st_dev == place.device && found.st_ino == place.node;
}

FileDescriptor open_below(int home, const char* name) noexcept {
  return FileDescriptor(::openat(home, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_ours_and_free(int directory) noexcept {
  struct stat found {};
  return ::fstat(directory, &found) == 0 && found.st_uid == ::geteuid() && ::flock(directory, LOCK_EX | LOCK_NB) == 0;
}

/// False: it is there and stays.
bool remove_directory(int home, const Place& place) noexcept {
  if (!is_run_directory_name(place.text)) return true;
  const FileDescriptor directory = open_below(home, place.text.c_str());
  if (!directory || !is(place, directory.get())) return true;
  return is_ours_and_free(directory.get()) && remove_tree(home, place.text.c_str());
}

/// What was made when its host died, before it was recorded: it is empty.
void remove_empty_directories(int home) {
  struct Close {
    void operator()(DIR* list) const noexcept { ::closedir(list); }
  };
  FileDescriptor again = open_below(home, ".");
  const std::unique_ptr<DIR, Close> list(again ? ::fdopendir(again.get()) : nullptr);
  if (!list) return;
  again.release();
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(list.get())) {
    if (is_run_directory_name(entry->d_name)) names.emplace_back(entry->d_name);
  }
  for (const std::string& name : names) {
    const FileDescriptor directory = open_below(home, name.c_str());
    if (directory && is_ours_and_free(directory.get())) ::unlinkat(home, name.c_str(), AT_REMOVEDIR);
  }
}

bool remove_recorded(int run_directory) {
  const std::optional<Place> workspace = read(run_directory, workspace_record);
  if (!workspace) return true;
  const FileDescriptor opened = open_exactly(workspace->text);
  if (!opened || !is(*workspace, opened.get())) return true;
  FileDescriptor home;
  const HomeState state = lock_present_home(opened.get(), home);
  if (state != HomeState::locked) return state == HomeState::absent;
  const std::optional<Place> directory = read(run_directory, directory_record);
  const bool gone = !directory || remove_directory(home.get(), *directory);
  remove_empty_directories(home.get());
  remove_home_if_empty(opened.get(), home.get());
  return gone;
}

}  // namespace

void record_workspace(RunDirectory& run, const std::string& path, int workspace) {
  struct stat found {};
  if (::fstat(workspace, &found) != 0) {
    throw FaultError(errc::input_materialization_failed, "workspace_failed", "the workspace cannot be opened");
  }
  write(run, workspace_record, path, found);
}

void record_directory(RunDirectory& run, int home, const std::string& name) {
  struct stat found {};
  if (::fstatat(home, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    throw FaultError(errc::input_materialization_failed, "workspace_failed",
                     "the directory made in the workspace is gone");
  }
  write(run, directory_record, name, found);
}

bool remove_recorded_placement(int run_directory) noexcept {
  try {
    return remove_recorded(run_directory);
  } catch (...) {
    return false;
  }
}

}  // namespace attache::inputs
