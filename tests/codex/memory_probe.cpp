// SPDX-License-Identifier: Apache-2.0
// Sends one image of the given size and prints the peak resident set of this process in KiB, and the run's status.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "harness.hpp"

int main(int argc, char** argv) {
  using namespace attache::testing;
  if (argc != 4) return 2;
  const Stage stage;
  const Recorder host;
  TurnRequest request("look");
  // Written and hashed by somebody else, so that the file leaves no mark in this process's memory.
  attache_input& input = request.add(ATTACHE_KIND_IMAGE, "image/png", argv[1], "");
  input.size = std::strtoull(argv[2], nullptr, 10);
  for (std::size_t i = 0; i < sizeof input.sha256; ++i) {
    input.sha256[i] = static_cast<std::uint8_t>(std::stoul(std::string(argv[3]).substr(2 * i, 2), nullptr, 16));
  }
  const attache_status status = CodexInstance(stage.config()).run(request, host);
  const auto receipts = host.events(ATTACHE_EVENT_RECEIPT);
  const bool exact = receipts.size() == 1 && receipts[0].code == ATTACHE_RECEIPT_EXACT;
  std::ifstream in("/proc/self/status");
  std::string peak = "0";
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("VmHWM:", 0) == 0) peak = line.substr(6);
  }
  std::printf("%s %d %d\n", peak.substr(0, peak.find(" kB")).c_str(), status, exact ? 1 : 0);
  return 0;
}
