// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class CodexThreads : public ::testing::Test {
 protected:
  attache_status run(const std::string& scenario, const std::string& checkpoint, bool fork = false,
                     const std::string& more = "{}") {
    stage.scenario(scenario);
    TurnRequest request("hi");
    request.raw().thread = span(thread);
    request.raw().checkpoint = span(checkpoint);
    request.raw().fork = fork ? 1 : 0;
    return CodexInstance(stage.config(more)).run(request, host);
  }
  std::string reason() const { return host.errors().at(0).reason; }
  const std::string thread = "t";
  const std::string other = R"({"thread":"01a22ec1-9080-7060-96f1-56ca080a7fff"})";
  Stage stage;
  Recorder host;
};

TEST_F(CodexThreads, AFirstTurnIsKeptAndGivesACheckpoint) {
  EXPECT_EQ(run("ok", ""), ATTACHE_OK);
  EXPECT_EQ(stage.sent("thread/start")["params"]["ephemeral"], false);
  EXPECT_EQ(Json::parse(host.checkpoints().at(0))["thread"], "01a22ec1-9080-7060-96f1-56ca080a711f");
}

TEST_F(CodexThreads, ATurnWithoutAThreadIsNotKept) {
  TurnRequest request("hi");
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_TRUE(host.checkpoints().empty());
}

TEST_F(CodexThreads, ResumeGoesOnWithTheSameThread) {
  EXPECT_EQ(run("ok", other), ATTACHE_OK);
  EXPECT_EQ(stage.sent("thread/resume")["params"]["threadId"], "01a22ec1-9080-7060-96f1-56ca080a7fff");
  EXPECT_EQ(host.checkpoints().at(0), R"({"thread":"01a22ec1-9080-7060-96f1-56ca080a7fff","turn":"turn-1"})");
  EXPECT_EQ(host.events(ATTACHE_EVENT_COMPLETED).at(0).text, "the answer");
}

TEST_F(CodexThreads, AForkGivesTheIdOfTheFork) {
  EXPECT_EQ(run("ok", other, true), ATTACHE_OK);
  EXPECT_FALSE(stage.sent("thread/fork").is_null());
  EXPECT_EQ(Json::parse(host.checkpoints().at(0))["thread"], "01a22ec1-9080-7060-96f1-56ca080a7120");
}

TEST_F(CodexThreads, AnUnknownThreadIsNoNewOne) {
  EXPECT_EQ(run("unknown_thread", other), ATTACHE_RESUME_REJECTED);
  EXPECT_EQ(reason(), "unknown_session");
  EXPECT_TRUE(stage.sent("turn/start").is_null());
  EXPECT_EQ(host.deliveries().back(), ATTACHE_NOT_DELIVERED);
}

TEST_F(CodexThreads, AnotherThreadThanAskedForIsRejected) {
  EXPECT_EQ(run("other_thread", other), ATTACHE_RESUME_REJECTED);
  EXPECT_EQ(reason(), "other_session");
  EXPECT_TRUE(stage.sent("turn/start").is_null());
}

TEST_F(CodexThreads, ACheckpointThatIsNoIdIsRejectedBeforeTheStart) {
  for (const char* checkpoint : {R"({"thread":"a name"})", R"({"thread":7})", "[]", "nothing"}) {
    SCOPED_TRACE(checkpoint);
    TurnRequest request("hi");
    const std::string kept = checkpoint;
    request.raw().checkpoint = span(kept);
    const Recorder once;
    EXPECT_EQ(CodexInstance(stage.config()).run(request, once), ATTACHE_RESUME_REJECTED);
    EXPECT_EQ(once.errors().at(0).reason, "checkpoint_invalid");
    EXPECT_FALSE(stage.started());
  }
}

TEST_F(CodexThreads, AHermeticDriverNeedsAPlaceForThem) {
  EXPECT_EQ(run("ok", "", false, R"({"hermetic": true})"), ATTACHE_INVALID);
  EXPECT_EQ(reason(), "codex_home_required");
  EXPECT_FALSE(stage.started());
}

TEST_F(CodexThreads, AFailedTurnGivesNoCheckpoint) {
  EXPECT_EQ(run("status_500", other), ATTACHE_PROVIDER_FAILED);
  EXPECT_TRUE(host.checkpoints().empty());
}

TEST_F(CodexThreads, TheOutputSchemaGoesWithTheTurnInOneLine) {
  stage.scenario("ok");
  TurnRequest request("hi");
  const std::string schema = "{\n \"type\": \"object\"\n}";
  request.raw().output_schema = span(schema);
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_EQ(stage.sent("turn/start")["params"]["outputSchema"], Json({{"type", "object"}}));
}

}  // namespace
}  // namespace attache::testing
