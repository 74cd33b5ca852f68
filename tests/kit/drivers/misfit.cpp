// SPDX-License-Identifier: Apache-2.0
// Does something at load time that no driver should; MISFIT says what.
#include <csignal>
#include <cstdlib>

#include <sys/types.h>
#include <unistd.h>

#include "kit_driver.hpp"

namespace {

struct AtLoad {
  AtLoad() {
    if constexpr (MISFIT == 1) std::raise(SIGSEGV);
    while (MISFIT == 2) pause();
    if constexpr (MISFIT == 3) setenv("ATTACHE_MISFIT", "1", 1);
    if constexpr (MISFIT == 4) _exit(0);
  }
};
const AtLoad at_load;

}  // namespace

ATTACHE_DRIVER(attache::controls::KitDriver)
