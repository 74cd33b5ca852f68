// SPDX-License-Identifier: Apache-2.0
// Plays the other end of a pipe: `bench_sink PROCESSOR` says "r" when it is ready, then reads and drops its standard
// input to the end. `bench_sink --turn` plays a provider's CLI: it reads one line, answers with a result, and leaves
// at the end of its input.
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sched.h>
#include <unistd.h>

namespace {

std::array<char, std::size_t{256} * 1024> buffer;

/// Up to a line end (when wanted) or the end of the input.
void drain(bool one_line) {
  for (;;) {
    const ssize_t count = ::read(0, buffer.data(), buffer.size());
    if (count < 0) std::_Exit(1);
    if (count == 0 || (one_line && std::memchr(buffer.data(), '\n', static_cast<std::size_t>(count)) != nullptr))
      return;
  }
}

void say(std::string_view text) {
  if (::write(1, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::_Exit(1);
}

void pin_to(int processor) {
  cpu_set_t bits;
  CPU_ZERO(&bits);
  CPU_SET(static_cast<unsigned>(processor), &bits);
  if (::sched_setaffinity(0, sizeof bits, &bits) != 0) std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) != "--turn") {
    pin_to(std::atoi(argv[1]));
    say("r");
    drain(false);
    return 0;
  }
  drain(true);
  say("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\"}\n");
  drain(false);
  return 0;
}
