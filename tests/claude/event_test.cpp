// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class Events : public ::testing::Test {
 protected:
  attache_status run(const std::string& scenario, const std::string& config = "{}") {
    stage.scenario(scenario);
    TurnRequest request("hi");
    return ClaudeInstance(stage.config(config)).run(request, host);
  }
  std::string text() const {
    std::string out;
    for (const RecordedEvent& one : host.events(ATTACHE_EVENT_TEXT_DELTA)) out += one.text;
    return out;
  }
  Stage stage;
  Recorder host;
};

TEST_F(Events, BeginWithModelAndVersion) {
  EXPECT_EQ(run("ok"), ATTACHE_OK);
  EXPECT_EQ(host.events()[0].type, ATTACHE_EVENT_STARTED);
  EXPECT_EQ(host.events()[0].text, "fake-model");
  EXPECT_EQ(host.events()[0].name, "claude 2.1.332");
}

TEST_F(Events, TextArrivesInPiecesAndOnce) {
  EXPECT_EQ(run("ok"), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_TEXT_DELTA).size(), 2u);
  EXPECT_EQ(text(), "the answer");
  EXPECT_EQ(host.events().back().text, "the answer");
}

TEST_F(Events, TextArrivesOnceWithoutPiecesToo) {
  EXPECT_EQ(run("ok", R"({"partial_messages":false})"), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_TEXT_DELTA).size(), 1u);
  EXPECT_EQ(text(), "the answer");
}

TEST_F(Events, UsageIsTold) {
  EXPECT_EQ(run("ok"), ATTACHE_OK);
  ASSERT_EQ(host.events(ATTACHE_EVENT_USAGE).size(), 1u);
  EXPECT_EQ(host.events(ATTACHE_EVENT_USAGE)[0].json, R"({"input_tokens":3,"output_tokens":2})");
}

TEST_F(Events, ToolsReasoningAndRetriesAreTold) {
  EXPECT_EQ(run("tools"), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_REASONING_DELTA).at(0).text, "hm");
  const auto call = host.events(ATTACHE_EVENT_TOOL_CALL).at(0);
  EXPECT_EQ(call.id + call.name + call.json, "t1Read{\"file\":\"x\"}");
  const auto back = host.events(ATTACHE_EVENT_TOOL_RESULT).at(0);
  EXPECT_EQ(back.id + back.text, "t1no such file");
  EXPECT_EQ(back.code, 1u);
  EXPECT_EQ(host.events(ATTACHE_EVENT_NOTICE).at(0).name, "api_retry");
}

TEST_F(Events, NoiseIsSkippedAndToldOnce) {
  EXPECT_EQ(run("noise"), ATTACHE_OK);
  ASSERT_EQ(host.events(ATTACHE_EVENT_NOTICE).size(), 1u);
  EXPECT_EQ(host.events(ATTACHE_EVENT_NOTICE)[0].name, "unreadable_frame");
  EXPECT_EQ(text(), "the answer");
}

TEST_F(Events, AnAnswerBeyondTheReaderStringsIsWholeWhenStreamed) {
  EXPECT_EQ(run("long_answer"), ATTACHE_OK);
  EXPECT_EQ(text(), std::string(300 * 1024, 'y'));
  EXPECT_EQ(host.events().back().text, std::string(300 * 1024, 'y'));
}

TEST_F(Events, AnAnswerBeyondTheReaderStringsIsNeverReplacedByAPlaceholder) {
  EXPECT_EQ(run("long_answer", R"({"partial_messages":false})"), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(host.errors().at(0).reason, "answer_too_long");
  EXPECT_EQ(text(), "");
}

TEST_F(Events, R_K1_NoEventHoldsThePayload) {
  const std::string mark = "a-mark-that-is-long-enough-to-be-found-again-0123456789";
  const std::string small = mark + bytes_of(2000, 1), large = mark + bytes_of(2'000'000, 2);
  TurnRequest request("hi");
  request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("1", small), small);
  request.add(ATTACHE_KIND_FILE, "application/pdf", stage.file("2", large), large);
  request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("3", mark), mark);
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
  const std::string encoded = "YS1tYXJrLXRoYXQtaXMtbG9uZy1lbm91Z2gtdG8tYmUtZm91bmQ";
  ASSERT_NE(read_file(stage.record("stdin")).find(encoded), std::string::npos);
  bool shown = false;
  for (const RecordedEvent& one : host.events()) {
    for (const std::string* field : {&one.id, &one.name, &one.text, &one.json}) {
      EXPECT_EQ(field->find(mark), std::string::npos);
      EXPECT_EQ(field->find(encoded), std::string::npos);
      shown = shown || field->find("[removed: ") != std::string::npos;
    }
  }
  EXPECT_TRUE(shown);
}

TEST_F(Events, R_K2_StandardErrorIsRawAndNotInTheError) {
  EXPECT_EQ(run("no_result"), ATTACHE_PROVIDER_FAILED);
  ASSERT_EQ(host.events(ATTACHE_EVENT_RAW).size(), 1u);
  EXPECT_EQ(host.events(ATTACHE_EVENT_RAW)[0].code, ATTACHE_RAW_STDERR);
  EXPECT_NE(host.events(ATTACHE_EVENT_RAW)[0].text.find("something about"), std::string::npos);
  EXPECT_EQ(host.errors().at(0).text.find("/run/dir"), std::string::npos);
}

}  // namespace
}  // namespace attache::testing
