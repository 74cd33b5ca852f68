// SPDX-License-Identifier: Apache-2.0
#include "process_table_posix.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "descriptor_posix.hpp"

namespace attache::sdk {
namespace {

struct Entry {
  char state = 0;
  pid_t group = 0;
  pid_t session = 0;
  long threads = 0;
  std::uint64_t start_time = 0;

  /// The first thread of a living process may have ended; the process then has others.
  bool alive() const { return (state != 'Z' && state != 'X' && state != 'x') || threads > 1; }
};

/// As much of /proc/<process>/<name> as fits, terminated; false when there is nothing.
bool read_text(const char* process, const char* name, std::span<char> text) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%s/%s", process, name);
  const Descriptor file(::open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  const ssize_t length = ::read(file.get(), text.data(), text.size() - 1);
  text[static_cast<std::size_t>(std::max<ssize_t>(length, 0))] = '\0';
  return length > 0;
}

bool read_entry(const char* process, Entry& entry) noexcept {
  std::array<char, 1024> text{};
  if (!read_text(process, "stat", text)) return false;
  // The command's name stands in parentheses and may hold anything.
  const char* const after_name = std::strrchr(text.data(), ')');
  if (after_name == nullptr) return false;
  int parent = 0;
  return std::sscanf(after_name + 1,
                     " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %" SCNu64, &entry.state,
                     &parent, &entry.group, &entry.session, &entry.threads, &entry.start_time) == 6;
}

std::array<char, 16> number_of(pid_t process) noexcept {
  std::array<char, 16> number{};
  std::to_chars(number.data(), number.data() + number.size() - 1, process);
  return number;
}

}  // namespace

bool group_is_alive(pid_t group, bool leader_reaped) noexcept {
  Entry entry;
  if (leader_reaped && read_entry(number_of(group).data(), entry)) return false;
  struct Close {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
  };
  const std::unique_ptr<DIR, Close> table(::opendir("/proc"));
  if (!table) return false;
  const pid_t session = ::getsid(0);
  while (const dirent* item = ::readdir(table.get())) {
    if (item->d_name[0] < '1' || item->d_name[0] > '9' || !read_entry(item->d_name, entry)) continue;
    if (entry.group == group && entry.alive() && (!leader_reaped || entry.session == session)) return true;
  }
  return false;
}

std::optional<ProcessIdentity> identify(pid_t process) noexcept {
  const std::array<char, 16> number = number_of(process);
  Entry entry;
  if (!read_entry(number.data(), entry)) return std::nullopt;
  ProcessIdentity found{entry.group, entry.start_time, std::nullopt};
  std::array<char, 2048> text{};
  uid_t real = 0;
  uid_t effective = 0;
  const char* const line = read_text(number.data(), "status", text) ? std::strstr(text.data(), "\nUid:") : nullptr;
  if (line != nullptr && std::sscanf(line, "\nUid: %u %u", &real, &effective) == 2 && real == effective) {
    found.user = real;
  }
  return found;
}

}  // namespace attache::sdk
