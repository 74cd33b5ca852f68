// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <poll.h>
#include <unistd.h>

#include "check/processes.hpp"

namespace attache::conformance {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

bool read_entry(const char* name, ProcessEntry& entry) {
  char path[64], text[1024];
  std::snprintf(path, sizeof(path), "/proc/%.20s/stat", name);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return false;
  std::size_t size = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  text[size] = '\0';
  // The name in parentheses may hold anything, parentheses too.
  const char* rest = std::strrchr(text, ')');
  if (rest == nullptr || std::sscanf(text, "%" SCNd64, &entry.id) != 1) return false;
  return std::sscanf(rest + 1, " %c %" SCNd64 " %" SCNd64 " %" SCNd64, &entry.state, &entry.parent, &entry.group,
                     &entry.session) == 4;
}

}  // namespace

std::vector<ProcessEntry> list_processes() {
  std::vector<ProcessEntry> found;
  Directory directory(::opendir("/proc"));
  if (directory == nullptr) return found;
  while (const dirent* item = ::readdir(directory.get())) {
    ProcessEntry entry;
    if (std::isdigit(static_cast<unsigned char>(item->d_name[0])) != 0 && read_entry(item->d_name, entry)) {
      found.push_back(entry);
    }
  }
  return found;
}

std::vector<std::string> open_descriptors() {
  std::vector<std::string> found;
  Directory directory(::opendir("/proc/self/fd"));
  if (directory == nullptr) return found;
  std::string own = std::to_string(::dirfd(directory.get()));
  while (const dirent* item = ::readdir(directory.get())) {
    if (item->d_name[0] == '.' || own == item->d_name) continue;
    char target[512];
    ssize_t size = ::readlinkat(::dirfd(directory.get()), item->d_name, target, sizeof(target));
    found.push_back(std::string(item->d_name) + " " + (size > 0 ? std::string(target, std::size_t(size)) : "?"));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t thread_count() {
  std::size_t count = 0;
  Directory directory(::opendir("/proc/self/task"));
  while (directory != nullptr) {
    const dirent* item = ::readdir(directory.get());
    if (item == nullptr) break;
    if (item->d_name[0] != '.') ++count;
  }
  return count;
}

bool eventually(bool (*holds)(void*), void* argument) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (!holds(argument)) {
    if (std::chrono::steady_clock::now() > deadline) return holds(argument);
    ::poll(nullptr, 0, 2);
  }
  return true;
}

}  // namespace attache::conformance
