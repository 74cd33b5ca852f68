// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include "tap/tap.hpp"
#include "wire/kit_paths.hpp"

int main(int argc, char** argv) {
  try {
    return attache::conformance::run_tap(attache::conformance::own_executable().parent_path(), {argv, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attache-tap: %s\n", error.what());
    return 125;
  }
}
