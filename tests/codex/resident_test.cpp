// SPDX-License-Identifier: Apache-2.0
// The process of a thread waits for the next turn of it, and only of it.
#include <algorithm>
#include <memory>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class CodexResidents : public ::testing::Test {
 protected:
  CodexResidents() { begin("{}"); }
  void begin(const std::string& more) {
    stage.scenario("ok");
    codex = std::make_unique<CodexInstance>(stage.config(more));
  }
  /// A turn of the thread from `at`, which it moves on when it went well.
  attache_status turn(const std::string& thread, std::string& at, const std::string& workspace = {}) {
    TurnRequest request("hi");
    return turn(request, thread, at, workspace);
  }
  attache_status turn(TurnRequest& request, const std::string& thread, std::string& at,
                      const std::string& workspace = {}) {
    request.raw().thread = span(thread);
    request.raw().checkpoint = span(at);
    request.raw().workspace = span(workspace);
    host = std::make_unique<Recorder>();
    const attache_status status = codex->run(request, *host);
    if (!host->checkpoints().empty()) at = std::string(host->checkpoints().back());
    return status;
  }
  std::vector<int> started() const {
    std::vector<int> out;
    std::istringstream lines(read_file(stage.record("starts")));
    for (int pid = 0; lines >> pid;) out.push_back(pid);
    return out;
  }
  std::size_t calls(const std::string& method) const {
    const auto all = stage.messages();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const auto& one) { return one.value("method", "") == method; }));
  }
  Stage stage;
  std::unique_ptr<CodexInstance> codex;
  std::unique_ptr<Recorder> host;
  std::string checkpoint;
};

TEST_F(CodexResidents, TheNextTurnOfAThreadNeedsNoStartAndNoHandshake) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  const std::string first = checkpoint;
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_NE(checkpoint, first) << "it names the turn";
  EXPECT_EQ(host->events(ATTACHE_EVENT_COMPLETED).at(0).text, "the answer");
  EXPECT_EQ(host->deliveries(),
            (std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}));
  ASSERT_EQ(started().size(), 1u);
  EXPECT_EQ(host->groups().at(0).first, started()[0]) << "every run tells of the group that works for it";
  EXPECT_EQ(calls("initialize"), 1u);
  EXPECT_EQ(calls("thread/start"), 1u);
  EXPECT_EQ(calls("thread/resume"), 0u);
  EXPECT_EQ(calls("turn/start"), 2u);
}

TEST_F(CodexResidents, AllEndWithTheInstance) {
  std::string other;
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  ASSERT_EQ(turn("u", other), ATTACHE_OK);
  const std::vector<int> pids = started();
  ASSERT_EQ(pids.size(), 2u) << "threads share none";
  EXPECT_TRUE(alive(pids[0]) && alive(pids[1]));
  codex.reset();
  EXPECT_FALSE(alive(pids[0]) || alive(pids[1]));
  EXPECT_TRUE(stage.clean());
}

TEST_F(CodexResidents, OneThatIsNotAtTheCheckpointIsEnded) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  std::string older = checkpoint;
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  ASSERT_EQ(turn("t", older), ATTACHE_OK);
  ASSERT_EQ(started().size(), 2u);
  EXPECT_FALSE(alive(started()[0]));
  EXPECT_EQ(calls("thread/resume"), 1u);
}

TEST_F(CodexResidents, OneOfAnotherWorkspaceIsEnded) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  ASSERT_EQ(turn("t", checkpoint, stage.root() / "home"), ATTACHE_OK);
  ASSERT_EQ(started().size(), 2u);
  EXPECT_FALSE(alive(started()[0]));
  EXPECT_EQ(stage.start()["directory"], (stage.root() / "home").string());
}

TEST_F(CodexResidents, OneThatWasKilledIsReplacedAndTheThreadGoesOn) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  const int pid = started().at(0);
  ::kill(pid, SIGKILL);
  while (alive(pid)) std::this_thread::yield();
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_EQ(started().size(), 2u);
  EXPECT_EQ(calls("thread/resume"), 1u);
}

TEST_F(CodexResidents, OneThatSawABadTurnIsEnded) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  write_file(stage.record("scenario"), "status_500");
  const std::string before = checkpoint;
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(checkpoint, before);
  EXPECT_EQ(started().size(), 1u);
  EXPECT_FALSE(alive(started()[0]));
  write_file(stage.record("scenario"), "ok");
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_EQ(started().size(), 2u);
}

TEST_F(CodexResidents, ATurnWithAnInputIsAForkInTheSameProcess) {
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  const std::string bytes = bytes_of(1000, 1);
  TurnRequest request("look");
  request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("input-1.png", bytes), bytes);
  request.raw().fork = 1;
  ASSERT_EQ(turn(request, "t", checkpoint), ATTACHE_OK);
  EXPECT_EQ(host->events(ATTACHE_EVENT_RECEIPT).at(0).code, ATTACHE_RECEIPT_EXACT);
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_EQ(started().size(), 1u);
  EXPECT_EQ(calls("thread/fork"), 1u);
  EXPECT_EQ(stage.messages().back()["params"]["threadId"], "01a22ec1-9080-7060-96f1-56ca080a7120");
}

TEST_F(CodexResidents, WithoutAnIdleTimeEachTurnHasItsOwn) {
  begin(R"({"resident_idle_s": 0})");
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_FALSE(alive(started().at(0)));
  ASSERT_EQ(turn("t", checkpoint), ATTACHE_OK);
  EXPECT_EQ(started().size(), 2u);
}

TEST_F(CodexResidents, ARunOfNoThreadLeavesNone) {
  std::string none;
  ASSERT_EQ(turn("", none), ATTACHE_OK);
  EXPECT_FALSE(alive(started().at(0)));
  EXPECT_TRUE(stage.clean());
}

}  // namespace
}  // namespace attache::testing
