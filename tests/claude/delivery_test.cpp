// SPDX-License-Identifier: Apache-2.0
// A CLI that misbehaves: typed error, truthful delivery state, nothing left behind.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class Delivery : public ::testing::Test {
 protected:
  attache_status run(const std::string& scenario, std::size_t size, std::uint64_t idle_ms = 0) {
    stage.scenario(scenario);
    const std::string bytes = bytes_of(size, 1);
    TurnRequest request("look");
    request.add(ATTACHE_KIND_FILE, "application/pdf", stage.file("input-1.pdf", bytes), bytes);
    request.raw().idle_ms = idle_ms;
    const std::size_t before = open_descriptors();
    const attache_status status = ClaudeInstance(stage.config()).run(request, host);
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_TRUE(stage.clean());
    return status;
  }
  attache_delivery state() const { return host.deliveries().back(); }
  std::string reason() const { return host.errors().at(0).reason; }
  Stage stage;
  Recorder host;
};

constexpr std::size_t kMore = 6 * 1024 * 1024;  // 8 MiB on the line, far more than a pipe holds

TEST_F(Delivery, OfAGoodTurnGoesThroughEveryState) {
  EXPECT_EQ(run("ok", 1000), ATTACHE_OK);
  EXPECT_EQ(host.deliveries(),
            (std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}));
  EXPECT_TRUE(stage.recorded("closed")) << "R-F3: the input is closed after the result";
}

TEST_F(Delivery, KeepsItsFilesInTheRunsPrivateDirectoryAndTellsItsGroup) {
  EXPECT_EQ(run("ok", 1000), ATTACHE_OK);
  EXPECT_FALSE(host.directory().empty());
  EXPECT_EQ(host.groups().size(), 1u);
}

TEST_F(Delivery, OnAHostOf10ItMakesAndRemovesADirectoryOfItsOwn) {
  TurnRequest request("look");
  EXPECT_EQ(ClaudeInstance(stage.config(), fake_host_1_0()).run(request, host), ATTACHE_OK);
  const std::string temporary = stage.start()["environment"]["TMPDIR"];
  EXPECT_EQ(temporary.find((stage.root() / "tmp").string()), 0u);
  EXPECT_TRUE(stage.clean());
  EXPECT_TRUE(host.groups().empty());
}

TEST_F(Delivery, R_F4_OutputBeforeInputDoesNotBlock) {
  EXPECT_EQ(run("floods_first", kMore), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_RECEIPT).at(0).code, ATTACHE_RECEIPT_EXACT);
}

TEST_F(Delivery, R_F5_AnEchoOfEightMebibytesIsRead) {
  EXPECT_EQ(run("ok", kMore), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_RECEIPT).at(0).code, ATTACHE_RECEIPT_EXACT);
}

TEST_F(Delivery, DeathInTheFrameIsIndeterminate) {
  EXPECT_EQ(run("dies_in_frame", kMore), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(reason(), "no_result");
  EXPECT_EQ(state(), ATTACHE_INDETERMINATE);
}

TEST_F(Delivery, InputClosedEarlyIsIndeterminate) {
  EXPECT_EQ(run("closes_input", kMore), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(reason(), "no_result");
  EXPECT_EQ(state(), ATTACHE_INDETERMINATE);
}

TEST_F(Delivery, R_M2_DeathAfterTheFrameIsDelivered) {
  EXPECT_EQ(run("no_result", 1000), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(state(), ATTACHE_DELIVERED);
  EXPECT_EQ(host.errors().at(0).provider_code, 3u);
}

TEST_F(Delivery, AResultForATurnThatWasNotReadIsNoSuccess) {
  EXPECT_EQ(run("answers_unread", kMore), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(reason(), "turn_not_read");
  EXPECT_EQ(state(), ATTACHE_INDETERMINATE);
}

TEST_F(Delivery, ExitAtOnceIsNeverDelivered) {
  const attache_status status = run("exits_at_once", kMore);
  if (status == ATTACHE_LAUNCH_FAILED) {
    EXPECT_EQ(reason(), "exited_at_once");
    EXPECT_EQ(state(), ATTACHE_NOT_DELIVERED);
  } else {
    EXPECT_EQ(status, ATTACHE_PROVIDER_FAILED);
    EXPECT_EQ(state(), ATTACHE_INDETERMINATE);
  }
  EXPECT_EQ(host.errors().at(0).provider_code, 1u);
}

TEST_F(Delivery, R_L2_SilenceEndsAtTheIdleLimit) {
  EXPECT_EQ(run("hangs", 1000, 200), ATTACHE_TIMEOUT);
  EXPECT_EQ(reason(), "idle");
  EXPECT_EQ(state(), ATTACHE_DELIVERED);
}

TEST_F(Delivery, ACliThatNeverReadsEndsAtTheIdleLimit) {
  EXPECT_EQ(run("deaf", kMore, 200), ATTACHE_TIMEOUT);
  EXPECT_EQ(reason(), "idle");
  EXPECT_EQ(state(), ATTACHE_INDETERMINATE);
}

TEST_F(Delivery, TheDeadlineEndsTheTurn) {
  stage.scenario("hangs");
  TurnRequest request("look");
  request.raw().deadline_ms = 200;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_TIMEOUT);
  EXPECT_EQ(reason(), "deadline");
}

TEST_F(Delivery, R_H3_CancelEndsTheWholeGroup) {
  stage.scenario("grandchild");
  TurnRequest request("look");
  const ClaudeInstance driver(stage.config());
  const auto on_started = [&](const RecordedEvent& event) {
    if (event.type != ATTACHE_EVENT_STARTED) return;
    host.cancel();
    driver.table()->cancel(driver.get(), host.id());
  };
  host.on_event = on_started;
  EXPECT_EQ(driver.run(request, host), ATTACHE_CANCELLED);
  EXPECT_FALSE(alive(std::stoi(read_file(stage.record("grandchild")))));
  EXPECT_TRUE(stage.clean());
}

TEST_F(Delivery, CancelFromAnotherThreadReachesACliThatIsSilent) {
  stage.scenario("hangs");
  TurnRequest request("look");
  const ClaudeInstance driver(stage.config());
  std::atomic<bool> started{false};
  host.on_event = [&](const RecordedEvent&) {
    started = true;
    started.notify_one();
  };
  attache_status status = ATTACHE_OK;
  std::thread runner([&] { status = driver.run(request, host); });
  started.wait(false);
  host.cancel();
  driver.table()->cancel(driver.get(), host.id());
  runner.join();
  EXPECT_EQ(status, ATTACHE_CANCELLED);
  EXPECT_TRUE(stage.clean());
}

TEST_F(Delivery, CancelBeforeTheRunStartsNothingThatStays) {
  TurnRequest request("look");
  const ClaudeInstance driver(stage.config());
  host.cancel();
  driver.table()->cancel(driver.get(), host.id());
  EXPECT_EQ(driver.run(request, host), ATTACHE_CANCELLED);
  EXPECT_TRUE(stage.clean());
  EXPECT_FALSE(stage.recorded("stdin"));
}

TEST_F(Delivery, ACliThatStaysAfterItsResultIsEndedWithItsChildren) {
  EXPECT_EQ(run("stays_after_result", 1000), ATTACHE_OK);
  EXPECT_FALSE(alive(std::stoi(read_file(stage.record("grandchild")))));
}

TEST_F(Delivery, GoesOnWhileTheHostIgnoresItsChildren) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignore, &before);
  EXPECT_EQ(run("ok", 1000), ATTACHE_OK);
  Recorder second;
  stage.scenario("dies_in_frame");
  TurnRequest request(std::string(kMore, 'p'));
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, second), ATTACHE_PROVIDER_FAILED);
  sigaction(SIGCHLD, &before, nullptr);
}

TEST_F(Delivery, RunsAtOnceDoNotMeet) {
  const ClaudeInstance driver(stage.config());
  std::vector<std::thread> threads;
  std::atomic<int> exact{0};
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string bytes = bytes_of(100'000, i);
      TurnRequest request("look");
      request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("input-" + std::to_string(i), bytes), bytes);
      const Recorder mine;
      if (driver.run(request, mine) != ATTACHE_OK) return;
      const auto receipts = mine.events(ATTACHE_EVENT_RECEIPT);
      if (receipts.size() == 1 && receipts[0].code == ATTACHE_RECEIPT_EXACT && receipts[0].sha256 == digest_of(bytes))
        ++exact;
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(exact, 4);
  EXPECT_TRUE(stage.clean());
}

}  // namespace
}  // namespace attache::testing
