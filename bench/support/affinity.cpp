// SPDX-License-Identifier: Apache-2.0
#include "support/affinity.hpp"

#include <cerrno>
#include <system_error>

#include <sched.h>

namespace attache::bench {
namespace {

void set(const std::vector<int>& wanted) {
  cpu_set_t bits;
  CPU_ZERO(&bits);
  for (const int one : wanted) CPU_SET(static_cast<unsigned>(one), &bits);
  if (::sched_setaffinity(0, sizeof bits, &bits) != 0) {
    throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
  }
}

}  // namespace

const std::vector<int>& processors() {
  static const std::vector<int> found = [] {
    cpu_set_t bits;
    CPU_ZERO(&bits);
    if (::sched_getaffinity(0, sizeof bits, &bits) != 0) {
      throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
    }
    std::vector<int> all;
    for (int one = 0; one < CPU_SETSIZE; ++one) {
      if (CPU_ISSET(static_cast<unsigned>(one), &bits)) all.push_back(one);
    }
    return all;
  }();
  return found;
}

void pin_to(int processor) {
  processors();  // before they are fewer
  set({processor});
}

void unpin() {
  set(processors());
}

}  // namespace attache::bench
