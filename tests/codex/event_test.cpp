// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class CodexEvents : public ::testing::Test {
 protected:
  void run(const std::string& scenario) {
    stage.scenario(scenario);
    TurnRequest request("hi");
    EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  }
  std::string streamed() const {
    std::string out;
    for (const RecordedEvent& one : host.events(ATTACHE_EVENT_TEXT_DELTA)) out += one.text;
    return out;
  }
  std::string answer() const { return host.events(ATTACHE_EVENT_COMPLETED).at(0).text; }
  std::vector<std::string> notices() const {
    std::vector<std::string> out;
    for (const RecordedEvent& one : host.events(ATTACHE_EVENT_NOTICE)) out.push_back(one.name);
    return out;
  }
  Stage stage;
  Recorder host;
};

TEST_F(CodexEvents, OfAPlainTurn) {
  run("ok");
  const RecordedEvent started = host.events(ATTACHE_EVENT_STARTED).at(0);
  EXPECT_EQ(started.text, "gpt-fake");
  EXPECT_EQ(started.name, "codex 0.171.0");
  EXPECT_EQ(host.events(ATTACHE_EVENT_TEXT_DELTA).size(), 2u);
  EXPECT_EQ(streamed(), "the answer");
  EXPECT_EQ(answer(), "the answer");
  const Json usage = Json::parse(host.events(ATTACHE_EVENT_USAGE).at(0).json);
  EXPECT_EQ(usage["input_tokens"], 7) << "of the turn, not of the thread";
  EXPECT_EQ(usage["output_tokens"], 2);
  EXPECT_TRUE(notices().empty());
}

TEST_F(CodexEvents, AnAnswerThatWasNotStreamedComesWhole) {
  run("not_streamed");
  EXPECT_EQ(streamed(), "the answer");
}

TEST_F(CodexEvents, AnAnswerLongerThanAnyLineReaderExpects) {
  run("long_answer");
  EXPECT_EQ(answer(), std::string(200'000, 'x'));
  EXPECT_EQ(streamed(), answer());
}

TEST_F(CodexEvents, AnAnswerThatIsTooLongToKeepIsWhatWasStreamed) {
  run("huge_answer_streamed");
  EXPECT_EQ(answer().size(), 1'600'000u);
}

TEST_F(CodexEvents, AnAnswerThatIsTooLongAndWasNotStreamedIsAFailure) {
  stage.scenario("huge_answer");
  TurnRequest request("hi");
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(host.errors().at(0).reason, "answer_too_long");
}

TEST_F(CodexEvents, ToolsReasoningAndUsageOfSeveralRequests) {
  run("tools");
  const RecordedEvent call = host.events(ATTACHE_EVENT_TOOL_CALL).at(0);
  EXPECT_EQ(call.id, "c1");
  EXPECT_EQ(call.name, "exec_command");
  EXPECT_EQ(Json::parse(call.json)["cmd"], "ls");
  const RecordedEvent result = host.events(ATTACHE_EVENT_TOOL_RESULT).at(0);
  EXPECT_EQ(result.id, "c1");
  EXPECT_EQ(result.text, "a file");
  EXPECT_EQ(host.events(ATTACHE_EVENT_REASONING_DELTA).at(0).text, "hm");
  EXPECT_EQ(Json::parse(host.events(ATTACHE_EVENT_USAGE).at(0).json)["input_tokens"], 30);
  for (const RecordedEvent& one : host.events(ATTACHE_EVENT_TRANSCRIPT)) {
    EXPECT_EQ(one.json.find("AAAA"), std::string::npos) << "payloads are removed";
  }
  EXPECT_EQ(notices(), std::vector<std::string>{"skill_added"});
}

TEST_F(CodexEvents, RequestsOfTheCliAreAnswered) {
  run("asks");
  EXPECT_EQ(answer(), "the answer");
  Json approval, other;
  for (const Json& one : stage.messages()) {
    if (one.value("id", Json()) == 0 && !one.contains("method")) approval = one;
    if (one.value("id", Json()) == "s") other = one;
  }
  EXPECT_EQ(approval["result"]["decision"], "decline");
  EXPECT_EQ(other["error"]["code"], -32601);
}

TEST_F(CodexEvents, NoiseAndTheFutureAreSkipped) {
  run("noise");
  EXPECT_EQ(answer(), "the answer");
  EXPECT_EQ(notices(), std::vector<std::string>{"unreadable_frame"});
}

TEST_F(CodexEvents, OfOtherTurnsAreNotOurs) {
  run("foreign_turn");
  EXPECT_EQ(streamed(), "the answer");
}

TEST_F(CodexEvents, AVersionOutsideTheTestedRangeIsSaid) {
  run("old");
  EXPECT_EQ(notices(), std::vector<std::string>{"untested_version"});
}

TEST_F(CodexEvents, TheEchoOfItemsIsOff) {
  run("ok");
  const Json off = stage.sent("initialize")["params"]["capabilities"]["optOutNotificationMethods"];
  EXPECT_NE(std::find(off.begin(), off.end(), "item/started"), off.end());
  EXPECT_NE(std::find(off.begin(), off.end(), "item/completed"), off.end());
}

}  // namespace
}  // namespace attache::testing
