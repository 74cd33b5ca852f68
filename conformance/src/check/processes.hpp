// SPDX-License-Identifier: Apache-2.0
// What the process table and a process's own tables say, for checks on what a driver leaves behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attache::conformance {

struct ProcessEntry {
  std::int64_t id = 0, parent = 0, group = 0, session = 0;
  char state = '?';
};

/// Every process this one may see.
std::vector<ProcessEntry> list_processes();

/// Open descriptors of this process with what they refer to, sorted; the one used for listing is not among them.
std::vector<std::string> open_descriptors();

/// Threads of this process.
std::size_t thread_count();

/// Waits until `holds` or two seconds have passed; what it says in the end.
bool eventually(bool (*holds)(void*), void* argument);
template <class Predicate>
bool eventually(Predicate predicate) {
  return eventually([](void* p) { return (*static_cast<Predicate*>(p))(); }, &predicate);
}

}  // namespace attache::conformance
