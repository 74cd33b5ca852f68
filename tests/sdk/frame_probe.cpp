// SPDX-License-Identifier: Apache-2.0
// Sends one file as base64 in a frame through a child that gives it back, reads it, and prints the SHA-256 of
// what came back and by how many bytes the peak memory of this process grew: frame_probe FILE SIZE CHILD
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/json_lines.hpp>

using namespace attache::sdk;

namespace {

Digest digest_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(65536);
  Sha256 hash;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    hash.update(std::string_view(block.data(), static_cast<std::size_t>(file.gcount())));
  }
  return hash.finish();
}

long peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const Digest digest = digest_of(argv[1]);
  const long before = peak();
  JsonFrame frame;
  const std::string marker = frame.add({argv[1], Encoding::base64, std::stoull(argv[2]), digest});
  frame.set_document("{\"type\":\"user\",\"data\":\"" + marker + "\",\"after\":1}");
  SpawnOptions options;
  options.executable = argv[3];
  options.arguments = {"cat"};
  auto process = ChildProcess::spawn(options);
  process.send(frame.source());
  process.close_input();
  JsonLines lines;
  std::string seen;
  ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) {
    return lines.feed(bytes, [&seen](Frame& one) {
      if (one.long_strings.size() == 1) seen = to_hex(one.long_strings[0].decoded_sha256);
      return true;
    }) == JsonLines::Status::ok;
  };
  if (process.pump(handlers, {}) != PumpEnd::exited) return 3;
  if (!process.end(std::chrono::seconds(10)).success()) return 4;
  std::printf("%s %ld\n", seen.c_str(), peak() - before);
  return seen == to_hex(digest) ? 0 : 5;
}
