// SPDX-License-Identifier: Apache-2.0
// Sends one PDF of the given size and prints the peak resident set of this process in KiB, and the run's status.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "harness.hpp"

namespace {

/// Writes and hashes in pieces, so that the file leaves no mark in this process's memory.
void describe_large_file(attache_input& input, const std::string& digest_hex) {
  for (std::size_t i = 0; i < sizeof input.sha256; ++i) {
    input.sha256[i] = static_cast<std::uint8_t>(std::stoul(digest_hex.substr(2 * i, 2), nullptr, 16));
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace attache::testing;
  if (argc != 4) return 2;
  const Stage stage;
  const Recorder host;
  TurnRequest request("read");
  attache_input& input = request.add(ATTACHE_KIND_FILE, "application/pdf", argv[1], "");
  input.size = std::strtoull(argv[2], nullptr, 10);
  describe_large_file(input, argv[3]);
  const attache_status status = ClaudeInstance(stage.config()).run(request, host);
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
