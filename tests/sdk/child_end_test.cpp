// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child_fixture.hpp"

namespace attache::sdk::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ChildEnd, AChildThatEndsWithItsInputIsNotSignalled) {
  auto process = ChildProcess::spawn(child({"count"}));
  const ExitStatus status = process.end(seconds(30));
  EXPECT_TRUE(status.success());
  EXPECT_FALSE(exists(process.pid()));
  EXPECT_TRUE(process.end(seconds(30)).success());
}

TEST(ChildEnd, OutputIsDrainedMeanwhile) {
  auto process = ChildProcess::spawn(child({"flood-then-count", "3000000"}));
  EXPECT_TRUE(process.end(seconds(30)).success());
}

TEST(ChildEnd, TermComesBeforeKill) {
  auto process = ChildProcess::spawn(child({"exit-on-term"}));
  EXPECT_EQ(first_line(process), "ready");
  // The first grace passes; the second is not used up.
  const ExitStatus status = process.end(seconds(2));
  EXPECT_EQ(status.kind, ExitStatus::Kind::exited);
  EXPECT_EQ(status.value, 7);
}

TEST(ChildEnd, KillEndsWhatIgnoresTerm) {
  auto process = ChildProcess::spawn(child({"ignore-term"}));
  EXPECT_EQ(first_line(process), "ready");
  const ExitStatus status = process.end(milliseconds(20));
  EXPECT_EQ(status.kind, ExitStatus::Kind::signalled);
  EXPECT_EQ(status.value, SIGKILL);
  EXPECT_FALSE(exists(process.pid()));
}

TEST(ChildEnd, AStoppedChildIsEnded) {
  auto process = ChildProcess::spawn(child({"exit-on-term"}));
  EXPECT_EQ(first_line(process), "ready");
  ::kill(static_cast<pid_t>(process.pid()), SIGSTOP);
  EXPECT_EQ(process.end(seconds(2)).value, 7);
}

TEST(ChildEnd, DeathBySignalIsTold) {
  auto process = ChildProcess::spawn(child({"abort"}));
  EXPECT_EQ(pump(process).end, PumpEnd::exited);
  const ExitStatus status = process.end(seconds(10));
  EXPECT_EQ(status.kind, ExitStatus::Kind::signalled);
  EXPECT_EQ(status.value, SIGKILL);
  EXPECT_FALSE(status.success());
}

TEST(ChildEnd, R_H3_GrandchildrenGoToo) {
  auto process = ChildProcess::spawn(child({"grandchild"}));
  const std::string grandchild = first_line(process);
  ASSERT_TRUE(is_running(grandchild));
  process.end(milliseconds(20));
  EXPECT_FALSE(is_running(grandchild));
  EXPECT_FALSE(exists(process.pid()));
}

TEST(ChildEnd, TheDestructorEndsTheGroup) {
  std::string grandchild;
  std::int64_t leader = 0;
  {
    auto process = ChildProcess::spawn(child({"grandchild"}));
    leader = process.pid();
    grandchild = first_line(process);
    // Assigning ends the old one as well.
    auto other = ChildProcess::spawn(child({"ignore-term"}));
    const std::int64_t replaced = other.pid();
    other = std::move(process);
    EXPECT_FALSE(exists(replaced));
    EXPECT_TRUE(is_running(grandchild));
  }
  EXPECT_FALSE(is_running(grandchild));
  EXPECT_FALSE(exists(leader));
}

/// The host ignores SIGCHLD: the system reaps.
class SigchldIgnored : public ::testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGCHLD, SIG_IGN); }
  void TearDown() override { std::signal(SIGCHLD, before_); }

 private:
  void (*before_)(int) = SIG_DFL;
};

TEST_F(SigchldIgnored, TheEndIsFoundAndTheStatusIsUnknown) {
  for (int i = 0; i < 20; ++i) {
    auto process = ChildProcess::spawn(child({"flood", "100"}));
    const Outcome outcome = pump(process);
    EXPECT_EQ(outcome.end, PumpEnd::exited);
    EXPECT_EQ(outcome.output.size(), 100u);
    EXPECT_EQ(process.end(seconds(30)).kind, ExitStatus::Kind::unknown);
  }
}

TEST_F(SigchldIgnored, AGrandchildIsEndedAfterItsLeaderIsGone) {
  auto process = ChildProcess::spawn(child({"orphan", "after-input"}));
  const std::string grandchild = first_line(process);
  process.close_input();
  ChildProcess::Limits limits = far_deadline();
  limits.end_grace = milliseconds(10);
  EXPECT_EQ(pump(process, limits).end, PumpEnd::exited);
  ASSERT_TRUE(is_running(grandchild));
  EXPECT_EQ(process.end(milliseconds(10)).kind, ExitStatus::Kind::unknown);
  EXPECT_FALSE(is_running(grandchild));
}

TEST_F(SigchldIgnored, ALivingChildIsEnded) {
  auto process = ChildProcess::spawn(child({"ignore-term"}));
  EXPECT_EQ(first_line(process), "ready");
  EXPECT_EQ(process.end(milliseconds(10)).kind, ExitStatus::Kind::unknown);
  EXPECT_FALSE(exists(process.pid()));
}

TEST(HostThatReaps, TheEndIsFoundWhoeverWasFirst) {
  std::atomic<bool> done{false};
  std::thread reaper([&done] {
    while (!done) {
      if (::waitpid(-1, nullptr, 0) < 0) std::this_thread::yield();
    }
  });
  for (int i = 0; i < 20; ++i) {
    auto process = ChildProcess::spawn(child({"exit-after", "0"}));
    EXPECT_EQ(pump(process).end, PumpEnd::exited);
    const ExitStatus status = process.end(seconds(30));
    EXPECT_TRUE(status.kind == ExitStatus::Kind::unknown || status.value == 3);
  }
  done = true;
  reaper.join();
}

/// From now on pidfd_open fails on this thread.
bool forbid_pidfd() {
  const auto statement = [](int code, std::size_t value) {
    return sock_filter{static_cast<unsigned short>(code), 0, 0, static_cast<unsigned>(value)};
  };
  std::array<sock_filter, 4> filter{statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                    sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_pidfd_open},
                                    statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                    statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{filter.size(), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(WithoutPidfd, EverythingWorksByLooking) {
  std::thread([] {
    ASSERT_TRUE(forbid_pidfd());
    ASSERT_EQ(::syscall(SYS_pidfd_open, ::getpid(), 0), -1);
    auto process = ChildProcess::spawn(child({"exit-after", "0"}));
    EXPECT_EQ(pump(process).end, PumpEnd::exited);
    EXPECT_EQ(process.end(seconds(30)).value, 3);

    process = ChildProcess::spawn(child({"orphan", "after-input"}));
    const std::string grandchild = first_line(process);
    process.close_input();
    ChildProcess::Limits limits = far_deadline();
    limits.end_grace = milliseconds(10);
    EXPECT_EQ(pump(process, limits).end, PumpEnd::exited);
    EXPECT_EQ(process.end(milliseconds(10)).value, 5);
    EXPECT_FALSE(is_running(grandchild));

    process = ChildProcess::spawn(child({"ignore-term"}));
    EXPECT_EQ(first_line(process), "ready");
    EXPECT_EQ(process.end(milliseconds(10)).value, SIGKILL);

    const auto before = std::signal(SIGCHLD, SIG_IGN);
    process = ChildProcess::spawn(child({"flood", "100"}));
    EXPECT_EQ(pump(process).end, PumpEnd::exited);
    EXPECT_EQ(process.end(seconds(30)).kind, ExitStatus::Kind::unknown);
    std::signal(SIGCHLD, before);
  }).join();
}

}  // namespace
}  // namespace attache::sdk::testing
