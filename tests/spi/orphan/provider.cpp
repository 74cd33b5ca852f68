// SPDX-License-Identifier: Apache-2.0
// A provider that ignores every signal it can and the end of its input, and has a child that does so too. Writes a file
// where it works, says both process numbers and stays; with "quick" it says that the turn is over instead.
#include <csignal>
#include <cstdio>
#include <cstring>

#include <unistd.h>

int main(int argc, char** argv) {
  ::alarm(200);  // should a test fail
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal != SIGALRM) ::signal(signal, SIG_IGN);
  }
  char byte = 0;
  while (::read(0, &byte, 1) == 1 && byte != '\n') {
  }
  if (argc > 1 && std::strcmp(argv[1], "quick") == 0) {
    std::puts("\"over\"");
    return 0;
  }
  if (std::FILE* const left = std::fopen("left-by-the-provider", "w")) std::fclose(left);
  const pid_t child = ::fork();
  if (child > 0) {
    std::printf("\"providers %d %d\"\n", ::getpid(), child);
    std::fflush(stdout);
  }
  ::alarm(200);
  for (;;) ::pause();
}
