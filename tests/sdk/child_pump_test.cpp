// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "child_fixture.hpp"

namespace attache::sdk::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kMiB = 1024 * 1024;

TEST(ChildPump, R_F3_InputIsClosedAfterTheFrame) {
  auto process = ChildProcess::spawn(child({"count"}));
  process.send(std::make_unique<FakeSource>(1000));
  process.close_input();
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.output, "1000");
  EXPECT_TRUE(process.write_state().complete);
  EXPECT_EQ(process.write_state().written, 1000u);
  EXPECT_FALSE(process.write_state().broken);
}

TEST(ChildPump, R_F4_BigFrameAgainstAChildThatWritesFirst) {
  auto process = ChildProcess::spawn(child({"flood-then-count", "1048576"}));
  process.send(std::make_unique<FakeSource>(4 * kMiB));
  process.close_input();
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.error.size(), kMiB);
  EXPECT_EQ(outcome.output, std::string(kMiB, 'x') + std::to_string(4 * kMiB));
}

TEST(ChildPump, OutputIsReadFromAChildThatNeverReadsItsInput) {
  auto process = ChildProcess::spawn(child({"flood", "3000000"}));
  process.send(std::make_unique<FakeSource>(8 * kMiB));
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.output.size(), 3'000'000u);
  EXPECT_EQ(outcome.error.size(), 3'000'000u);
  EXPECT_TRUE(process.write_state().broken);
  EXPECT_FALSE(process.write_state().complete);
  EXPECT_TRUE(process.end(seconds(10)).success());
}

TEST(ChildPump, AChildThatClosesItsInputIsListenedTo) {
  auto process = ChildProcess::spawn(child({"close-input", "2000000"}));
  process.send(std::make_unique<FakeSource>(8 * kMiB));
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.output.size(), 2'000'000u);
  EXPECT_TRUE(process.write_state().broken);
  process.send(std::make_unique<FakeSource>(1));
  EXPECT_TRUE(process.write_state().broken);
  EXPECT_EQ(process.write_state().written, 0u);
}

TEST(ChildPump, AChildThatDiesInMidFrame) {
  auto process = ChildProcess::spawn(child({"exit-after", "500000"}));
  process.send(std::make_unique<FakeSource>(16 * kMiB));
  process.close_input();
  EXPECT_EQ(pump(process).end, PumpEnd::exited);
  EXPECT_TRUE(process.write_state().broken);
  EXPECT_GE(process.write_state().written, 500'000u);
  EXPECT_LT(process.write_state().written, 16 * kMiB);
  const ExitStatus status = process.end(seconds(10));
  EXPECT_EQ(status.kind, ExitStatus::Kind::exited);
  EXPECT_EQ(status.value, 3);
}

std::sig_atomic_t volatile pipe_signals = 0;

TEST(ChildPump, SigpipeNeverReachesTheHost) {
  const auto before = std::signal(SIGPIPE, [](int) { pipe_signals = pipe_signals + 1; });
  auto process = ChildProcess::spawn(child({"exit-after", "1"}));
  process.send(std::make_unique<FakeSource>(8 * kMiB));
  EXPECT_EQ(pump(process).end, PumpEnd::exited);
  std::signal(SIGPIPE, before);
  EXPECT_TRUE(process.write_state().broken);
  EXPECT_EQ(pipe_signals, 0);
}

TEST(ChildPump, APendingSigpipeOfTheHostStaysPending) {
  sigset_t mask;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&mask);
  sigaddset(&mask, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  for (const bool was_pending : {false, true}) {
    if (was_pending) ::raise(SIGPIPE);
    auto process = ChildProcess::spawn(child({"exit-after", "1"}));
    process.send(std::make_unique<FakeSource>(8 * kMiB));
    pump(process);
    EXPECT_TRUE(process.write_state().broken);
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), was_pending ? 1 : 0);
  }
  const timespec at_once{};
  sigtimedwait(&mask, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(ChildPump, StopsAndGoesOnWhereItWas) {
  auto process = ChildProcess::spawn(child({"flood", "1000000"}));
  std::size_t total = 0;
  std::size_t calls = 0;
  ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) {
    total += bytes.size();
    EXPECT_LE(bytes.size(), 256u * 1024);
    return ++calls % 2 == 0;
  };
  PumpEnd end = PumpEnd::stopped;
  while (end == PumpEnd::stopped) end = process.pump(handlers, far_deadline());
  EXPECT_EQ(end, PumpEnd::exited);
  EXPECT_EQ(total, 1'000'000u);
}

TEST(ChildPump, WritingIsReportedAndMayStopToo) {
  auto process = ChildProcess::spawn(child({"count"}));
  std::vector<WriteState> states;
  ChildProcess::Handlers handlers;
  handlers.on_written = [&](const WriteState& state) {
    states.push_back(state);
    return !state.complete;
  };
  process.send(std::make_unique<FakeSource>(700'000));
  EXPECT_EQ(process.pump(handlers, far_deadline()), PumpEnd::stopped);
  EXPECT_EQ(states.back().written, 700'000u);
  EXPECT_TRUE(states.back().complete);
  states.clear();
  process.send(std::make_unique<FakeSource>(0));
  EXPECT_EQ(process.pump(handlers, far_deadline()), PumpEnd::stopped);
  ASSERT_EQ(states.size(), 1u);
  EXPECT_TRUE(states[0].complete);
  process.close_input();
  EXPECT_EQ(pump(process).output, "700000");
}

TEST(ChildPump, OneSourceAtATimeAndNoneAfterClosing) {
  auto process = ChildProcess::spawn(child({"count"}));
  process.send(std::make_unique<FakeSource>(1));
  EXPECT_THROW(process.send(std::make_unique<FakeSource>(1)), std::logic_error);
  process.close_input();
  process.close_input();
  EXPECT_EQ(pump(process).output, "1");
  EXPECT_THROW(process.send(std::make_unique<FakeSource>(1)), std::logic_error);
}

TEST(ChildPump, AnExceptionOfTheSourcePassesAndTheFrameStaysIncomplete) {
  auto process = ChildProcess::spawn(child({"count"}));
  process.send(std::make_unique<FakeSource>(300'000, true));
  EXPECT_THROW(pump(process), std::runtime_error);
  EXPECT_FALSE(process.write_state().complete);
  EXPECT_LE(process.write_state().written, 300'000u);
  process.close_input();
  EXPECT_EQ(pump(process).end, PumpEnd::exited);
}

TEST(ChildPump, RequestStopFromAnotherThread) {
  auto process = ChildProcess::spawn(child({"say-and-wait"}));
  std::thread other([&process] { process.request_stop(); });
  EXPECT_EQ(pump(process).end, PumpEnd::cancelled);
  other.join();
  // Used up, whether it came before or during that call.
  ChildProcess::Limits limits;
  limits.deadline = steady_clock::now();
  EXPECT_EQ(pump(process, limits).end, PumpEnd::deadline);
}

TEST(ChildPump, RequestStopAfterTheEndIsSafe) {
  auto process = ChildProcess::spawn(child({"flood", "1"}));
  pump(process);
  process.end(seconds(10));
  process.request_stop();
  EXPECT_EQ(pump(process).end, PumpEnd::cancelled);
  EXPECT_EQ(pump(process).end, PumpEnd::exited);
}

TEST(ChildPump, R_L2_SilenceIsIdle) {
  auto process = ChildProcess::spawn(child({"say-and-wait"}));
  ChildProcess::Limits limits = far_deadline();
  limits.idle = milliseconds(200);
  EXPECT_EQ(pump(process, limits).end, PumpEnd::idle);
  process.end(milliseconds(0));
  EXPECT_FALSE(exists(process.pid()));
}

TEST(ChildPump, MovingBytesAreNotIdle) {
  auto process = ChildProcess::spawn(child({"tick", "100"}));
  ChildProcess::Limits limits = far_deadline();
  limits.idle = milliseconds(1500);
  const Outcome outcome = pump(process, limits);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.output, std::string(100, '.'));
}

TEST(ChildPump, Deadline) {
  auto process = ChildProcess::spawn(child({"say-and-wait"}));
  ChildProcess::Limits limits;
  limits.deadline = steady_clock::now() + milliseconds(100);
  EXPECT_EQ(pump(process, limits).end, PumpEnd::deadline);
}

TEST(ChildPump, AFloodDoesNotHoldOffTheDeadline) {
  auto process = ChildProcess::spawn(child({"flood", "1000000000000"}));
  ChildProcess::Limits limits;
  limits.deadline = steady_clock::now() + milliseconds(100);
  ChildProcess::Handlers drop;
  EXPECT_EQ(process.pump(drop, limits), PumpEnd::deadline);
}

TEST(ChildPump, ClosedOutputsOfALivingProcess) {
  auto process = ChildProcess::spawn(child({"close-outputs"}));
  ChildProcess::Limits limits = far_deadline();
  limits.end_grace = milliseconds(10);
  EXPECT_EQ(pump(process, limits).end, PumpEnd::outputs_closed);
  EXPECT_EQ(process.end(milliseconds(0)).kind, ExitStatus::Kind::signalled);
}

TEST(ChildPump, AllThatAProcessWroteBeforeItWentIsHandedOnWithoutAnyGrace) {
  auto process = ChildProcess::spawn(child({"orphan", "at-once", "900000"}));
  // The process is gone, and its output, more than one chunk, waits in the pipe.
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process.pid()), &info, WEXITED | WNOWAIT), 0);
  ChildProcess::Limits limits = far_deadline();
  limits.end_grace = milliseconds(0);
  const Outcome outcome = pump(process, limits);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_GE(outcome.output.size(), 900'004u);
  EXPECT_NE(outcome.output.find("last"), std::string::npos);
}

TEST(ChildPump, InputThatAGrandchildHoldsIsBrokenOnceTheProcessIsGone) {
  auto process = ChildProcess::spawn(child({"orphan"}));
  process.send(std::make_unique<FakeSource>(8 * kMiB));
  ChildProcess::Limits limits = far_deadline();
  limits.end_grace = milliseconds(10);
  EXPECT_EQ(pump(process, limits).end, PumpEnd::exited);
  EXPECT_TRUE(process.write_state().broken);
  EXPECT_FALSE(process.write_state().complete);
}

TEST(ChildPump, AGrandchildThatHoldsTheOutputsDoesNotHideTheExit) {
  auto process = ChildProcess::spawn(child({"orphan", "after-input"}));
  const std::string grandchild = first_line(process);
  process.close_input();
  ChildProcess::Limits limits = far_deadline();
  limits.end_grace = milliseconds(10);
  const Outcome outcome = pump(process, limits);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_EQ(outcome.error.size(), 50'000u);
  EXPECT_TRUE(outcome.error.ends_with("last"));
  EXPECT_TRUE(is_running(grandchild));
  const ExitStatus status = process.end(milliseconds(10));
  EXPECT_EQ(status.kind, ExitStatus::Kind::exited);
  EXPECT_EQ(status.value, 5);
  EXPECT_FALSE(is_running(grandchild));
}

}  // namespace
}  // namespace attache::sdk::testing
