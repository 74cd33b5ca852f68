// SPDX-License-Identifier: Apache-2.0
// A CLI that misbehaves: typed error, truthful delivery state, nothing left behind.
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "driver.hpp"
#include "harness.hpp"

namespace attache::testing {
namespace {

class CodexDelivery : public ::testing::Test {
 protected:
  attache_status run(const std::string& scenario, std::size_t size = 1000, std::uint64_t idle_ms = 0) {
    stage.scenario(scenario);
    const std::string bytes = bytes_of(size, 1);
    TurnRequest request("look");
    request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("input-1.png", bytes), bytes);
    request.raw().idle_ms = idle_ms;
    const std::size_t before = open_descriptors();
    const attache_status status = CodexInstance(stage.config()).run(request, host);
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_TRUE(stage.clean());
    return status;
  }
  attache_delivery state() const { return host.deliveries().back(); }
  std::string reason() const { return host.errors().at(0).reason; }
  Stage stage;
  Recorder host;
};

TEST_F(CodexDelivery, OfAGoodTurnGoesThroughEveryState) {
  EXPECT_EQ(run("ok"), ATTACHE_OK);
  EXPECT_EQ(host.deliveries(),
            (std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}));
  EXPECT_TRUE(stage.recorded("closed")) << "R-F3: the input is closed after the turn";
}

TEST_F(CodexDelivery, TheProcessGroupIsNotedAndGone) {
  EXPECT_EQ(run("ok"), ATTACHE_OK);
  ASSERT_EQ(host.groups().size(), 1u);
  EXPECT_GT(host.groups()[0].second, 0u);
  EXPECT_FALSE(alive(static_cast<int>(host.groups()[0].first)));
}

TEST_F(CodexDelivery, R_F5_AnEchoOfTwelveMebibytesIsRead) {
  EXPECT_EQ(run("ok", std::size_t{9} << 20u), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_RECEIPT).at(0).code, ATTACHE_RECEIPT_EXACT);
}

TEST_F(CodexDelivery, TheExitCodeDecidesNothing) {
  EXPECT_EQ(run("exit_lies"), ATTACHE_OK);
  const Recorder second;
  stage.scenario("failed_exit_0");
  TurnRequest request("look");
  EXPECT_EQ(CodexInstance(stage.config()).run(request, second), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(second.errors().at(0).reason, "server_error");
}

TEST_F(CodexDelivery, ACliThatStaysAfterItsResultIsEndedWithItsChildren) {
  EXPECT_EQ(run("stays_after_result"), ATTACHE_OK);
  EXPECT_FALSE(alive(std::stoi(read_file(stage.record("grandchild")))));
}

TEST_F(CodexDelivery, AHandshakeIsNoDelivery) {
  EXPECT_EQ(run("exits_at_once"), ATTACHE_LAUNCH_FAILED);
  EXPECT_EQ(reason(), "exited_at_once");
  EXPECT_EQ(host.errors()[0].provider_code, 1u);
  EXPECT_EQ(state(), ATTACHE_NOT_DELIVERED);
}

TEST_F(CodexDelivery, SilenceInTheHandshakeIsATimeout) {
  EXPECT_EQ(run("deaf", 1000, 300), ATTACHE_TIMEOUT);
  EXPECT_EQ(reason(), "idle");
  EXPECT_EQ(state(), ATTACHE_NOT_DELIVERED);
}

/// Waits for a CLI that obeys for as long as it takes, on a machine however busy.
class PatientDriver : public codex::CodexDriver {
 public:
  using CodexDriver::CodexDriver;

 protected:
  sdk::RpcTurnOptions turn_options() const override {
    sdk::RpcTurnOptions out = CodexDriver::turn_options();
    out.interrupt_grace = out.stop_grace = std::chrono::hours(1);
    return out;
  }
};

TEST_F(CodexDelivery, ATurnThatIsStoppedIsInterruptedFirst) {
  stage.scenario("talks_and_hangs");
  TurnRequest request("look");
  const CodexInstance instance(stage.config(), sdk::detail::Table<PatientDriver>::enter);
  std::thread canceller([&] {
    while (host.events(ATTACHE_EVENT_TEXT_DELTA).empty()) std::this_thread::yield();
    host.cancel();
    instance.table()->cancel(instance.get(), host.id());
  });
  EXPECT_EQ(instance.run(request, host), ATTACHE_CANCELLED);
  canceller.join();
  EXPECT_EQ(state(), ATTACHE_DELIVERED);
  EXPECT_EQ(stage.sent("turn/interrupt")["params"]["turnId"], "turn-1");
  EXPECT_TRUE(stage.recorded("closed")) << "it ended by itself";
}

TEST_F(CodexDelivery, R_H3_CancelInterruptsAndEnds) {
  std::thread canceller([&] {
    while (stage.recorded("stdin") == false || stage.sent("turn/start").is_null()) std::this_thread::yield();
    host.cancel();
  });
  const std::string bytes = bytes_of(1000, 1);
  stage.scenario("hangs");
  TurnRequest request("look");
  const CodexInstance instance(stage.config());
  std::thread waker([&] {
    canceller.join();
    instance.table()->cancel(instance.get(), host.id());
  });
  EXPECT_EQ(instance.run(request, host), ATTACHE_CANCELLED);
  waker.join();
  EXPECT_TRUE(stage.clean());
}

TEST_F(CodexDelivery, AFileThatChangedIsSaidWithItsIndex) {
  const std::string bytes = bytes_of(5000, 1);
  TurnRequest request("look");
  request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("a", "x"), "x").mode = ATTACHE_MODE_WORKSPACE_REFERENCE;
  request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("b", bytes_of(5000, 2)), bytes);
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_CONTRACT);
  EXPECT_EQ(reason(), "digest_changed");
  EXPECT_EQ(host.errors()[0].input_index, 1);
}

TEST_F(CodexDelivery, TheCliIsNotThere) {
  TurnRequest request("look");
  EXPECT_EQ(CodexInstance(stage.config(R"({"executable": "/nonexistent/codex"})")).run(request, host),
            ATTACHE_LAUNCH_FAILED);
  EXPECT_EQ(state(), ATTACHE_NOT_DELIVERED);
}

}  // namespace
}  // namespace attache::testing
