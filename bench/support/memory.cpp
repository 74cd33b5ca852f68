// SPDX-License-Identifier: Apache-2.0
#include "support/memory.hpp"

#include <fstream>
#include <stdexcept>
#include <string>

namespace attache::bench {

void reset_peak() {
  std::ofstream out("/proc/self/clear_refs");
  out << "5" << std::flush;
  if (!out) throw std::runtime_error("the peak of the resident set cannot be reset");
}

std::uint64_t peak_bytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6)) * 1024;
  }
  throw std::runtime_error("the kernel does not tell the peak of the resident set");
}

}  // namespace attache::bench
