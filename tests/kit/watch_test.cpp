// SPDX-License-Identifier: Apache-2.0
#include "check/watch.hpp"

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attache::conformance {
namespace {

constexpr std::chrono::milliseconds long_enough{60000};

void start_true() {
  char program[] = "/bin/true";
  char* arguments[] = {program, nullptr};
  pid_t pid = 0;
  if (::posix_spawn(&pid, program, nullptr, nullptr, arguments, nullptr) == 0) ::waitpid(pid, nullptr, 0);
}

void connect_once() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  ::close(socket);
}

TEST(Watch, CountsTwoProcessesAndOneConnection) {
  const auto end = supervise(long_enough, [](const Watch& watch) {
    if (!watch.active()) return 10;
    start_true();
    start_true();
    connect_once();
    const WatchCounts counts = watch.counts();
    return counts.executions == 2 && counts.processes == 2 && counts.connections == 1 && counts.foreign == 0 ? 0 : 1;
  });
  EXPECT_EQ(end.kind, WorkerEnd::Kind::exited);
  EXPECT_EQ(end.value, 0) << "10: the kernel refuses the filter";
}

TEST(Watch, ThreadsAndFilesDoNotCount) {
  const auto end = supervise(long_enough, [](const Watch& watch) {
    std::thread([] { (void)!::read(-1, nullptr, 0); }).join();
    ::close(::open("/dev/null", 0));
    return watch.active() && watch.counts().none() ? 0 : 1;
  });
  EXPECT_EQ(end.value, 0);
}

TEST(Watch, AnExecutionFromAThreadAndOneThatFailsCount) {
  const auto end = supervise(long_enough, [](const Watch& watch) {
    std::thread(start_true).join();
    const WatchCounts before = watch.counts();
    ::execl("/does/not/exist", "x", nullptr);
    return before.executions == 1 && (watch.counts() - before).executions == 1 ? 0 : 1;
  });
  EXPECT_EQ(end.value, 0);
}

TEST(Watch, ADatagramToAnAddressIsAConnection) {
  const auto end = supervise(long_enough, [](const Watch& watch) {
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(9);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(socket, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    return watch.counts().connections == 1 ? 0 : 1;
  });
  EXPECT_EQ(end.value, 0);
}

TEST(Watch, TellsASignalFromAnExit) {
  const auto end = supervise(long_enough, [](const Watch&) { return std::raise(SIGKILL); });
  EXPECT_EQ(end.kind, WorkerEnd::Kind::signalled);
  EXPECT_EQ(end.value, SIGKILL);
}

TEST(Watch, EndsAWorkerAtItsLimitAndEverythingBelow) {
  int alive[2];
  ASSERT_EQ(::pipe(alive), 0);
  const auto end = supervise(std::chrono::milliseconds(200), [&](const Watch&) {
    if (::fork() == 0) {
      ::setsid();
      for (;;) ::pause();
    }
    for (;;) ::pause();
    return 0;
  });
  EXPECT_EQ(end.kind, WorkerEnd::Kind::timed_out);
  ::close(alive[1]);
  char byte = 0;
  EXPECT_EQ(::read(alive[0], &byte, 1), 0) << "something still holds the pipe";
  ::close(alive[0]);
}

TEST(Watch, SeesProcessesLeftBehind) {
  const auto end = supervise(long_enough, [](const Watch& watch) {
    if (!watch.descendants().empty()) return 1;
    int ready[2];
    if (::pipe(ready) != 0) return 2;
    if (::fork() == 0) {
      if (::fork() == 0) {
        (void)!::write(ready[1], "r", 1);
        for (;;) ::pause();
      }
      ::_exit(0);
    }
    char byte = 0;
    (void)!::read(ready[0], &byte, 1);
    ::wait(nullptr);
    return watch.descendants().size() == 1 ? 0 : 3;
  });
  EXPECT_EQ(end.value, 0);
}

}  // namespace
}  // namespace attache::conformance
