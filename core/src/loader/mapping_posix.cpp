// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>
#include <sys/mman.h>

#include "loader/mapping.hpp"

namespace attache {

std::optional<std::string> mapped_identity(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    unsigned major = 0;
    unsigned minor = 0;
    std::uint64_t inode = 0;
    const int fields = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %x:%x %" SCNu64, &begin, &end,
                                   &major, &minor, &inode);
    if (fields == 5 && begin <= wanted && wanted < end) return fmt::format("{:x}:{:x} {}", major, minor, inode);
  }
  return std::nullopt;
}

std::optional<std::string> file_identity(const BoundedFile& file) {
  void* page = ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (page == MAP_FAILED) return std::nullopt;
  std::optional<std::string> out = mapped_identity(page);  // never read through: only its place is asked for
  ::munmap(page, 1);
  return out;
}

}  // namespace attache
