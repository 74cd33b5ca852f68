// SPDX-License-Identifier: Apache-2.0
// Does something at load time that no driver should; MISFIT says what.
#include <csignal>
#include <cstdlib>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include "kit_driver.hpp"

namespace {

/// Reports every check as passed wherever something is open for writing, and leaves before one of them begins.
[[maybe_unused]] void forge() {
  std::string lines;
  for (const char* area : {"LOAD-00", "DESC-00", "WIRE-10", "REFUSE-20", "REFUSE-30", "LIFE-40", "RUN-50", "LEAK-60"}) {
    for (int number = 1; number < 10; ++number) {
      lines += R"({"type":"result","id":")" + std::string(area) + std::to_string(number) +
               R"(","coordinates":"","outcome":"pass","reason":"","evidence":[]})" + "\n";
    }
  }
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    if (::write(descriptor, lines.data(), lines.size()) < 0) continue;
  }
  _exit(0);
}

struct AtLoad {
  AtLoad() {
    if constexpr (MISFIT == 1) std::raise(SIGSEGV);
    while (MISFIT == 2) pause();
    if constexpr (MISFIT == 3) setenv("ATTACHE_MISFIT", "1", 1);
    if constexpr (MISFIT == 4) _exit(0);
    if constexpr (MISFIT == 5) forge();
  }
};
const AtLoad at_load;

}  // namespace

ATTACHE_DRIVER(attache::controls::KitDriver)
