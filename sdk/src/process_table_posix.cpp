// SPDX-License-Identifier: Apache-2.0
#include "process_table_posix.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

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

  /// The first thread of a living process may have ended; the process then has others.
  bool alive() const { return (state != 'Z' && state != 'X' && state != 'x') || threads > 1; }
};

bool read_entry(const char* process, Entry& entry) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%s/stat", process);
  const Descriptor file(::open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  std::array<char, 1024> text{};
  const ssize_t length = ::read(file.get(), text.data(), text.size() - 1);
  if (length <= 0) return false;
  // The command's name stands in parentheses and may hold anything.
  const char* const after_name = std::strrchr(text.data(), ')');
  if (after_name == nullptr) return false;
  int parent = 0;
  return std::sscanf(after_name + 1, " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld",
                     &entry.state, &parent, &entry.group, &entry.session, &entry.threads) == 5;
}

}  // namespace

bool group_is_alive(pid_t group, bool leader_reaped) noexcept {
  Entry entry;
  std::array<char, 16> number{};
  std::to_chars(number.data(), number.data() + number.size() - 1, group);
  if (leader_reaped && read_entry(number.data(), entry)) return false;
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

}  // namespace attache::sdk
