// SPDX-License-Identifier: Apache-2.0
// What a host sees of a run whose driver tells everything.
#include <attache/sdk/base64.hpp>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::span;

class RunRedactionTest : public RunTest {
 protected:
  void SetUp() override {
    content = test::long_text(5000);
    source = scratch.write("private-source.txt", content);
  }
  input::Input given() const { return input::from_path(input::Kind::file, source); }
  void expect_clean(const std::string& text) const {
    EXPECT_EQ(text.find(scratch.base().string()), std::string::npos) << text;
    EXPECT_EQ(text.find("private-source"), std::string::npos) << text;
    EXPECT_EQ(text.find(content.substr(2000, 40)), std::string::npos) << text;
    EXPECT_EQ(text.find(sdk::base64_encode(content.substr(1500, 48))), std::string::npos) << text;
  }
  std::string content;
  std::filesystem::path source;
};

TEST_F(RunRedactionTest, R_K1_R_K2_NothingOfTheInputIsInEventsErrorsOrResult) {
  driver.run = [this](const attache_request& request, const Calls& calls) {
    const std::string path(test::view(request.inputs[0]->local_path));
    const std::string encoded = sdk::base64_encode(content);
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    calls.checkpoint("{\"at\":\"" + path + "\",\"data\":\"" + encoded + "\"}");
    calls.raw("{\"data\":\"" + encoded.substr(0, 700));
    calls.raw(encoded.substr(700) + "\",\"file\":\"" + path + "\"}\n");
    calls.raw("cannot open " + source.string() + "\n" + content + "\n", ATTACHE_RAW_STDERR);
    calls.notice("told", "reading " + path + " from " + source.string());
    attache_event item = test::event(ATTACHE_EVENT_TRANSCRIPT);
    const std::string json = "{\"path\":\"" + path + "\",\"source\":\"" + encoded + "\"}";
    item.json = span(json);
    calls.emit(item);
    attache_event call = test::event(ATTACHE_EVENT_TOOL_CALL);
    const std::string arguments = "{\"file\":\"" + path + "\",\"source\":\"" + encoded + "\"}";
    call.json = span(arguments);
    calls.emit(call);
    attache_event result = test::event(ATTACHE_EVENT_TOOL_RESULT);
    const std::string told = path + ": " + content;
    result.text = span(told);
    calls.emit(result);
    attache_event receipt = test::event(ATTACHE_EVENT_RECEIPT);
    receipt.id = request.inputs[0]->id;
    receipt.code = ATTACHE_RECEIPT_UNKNOWN;
    receipt.media_type = span(path);
    calls.emit(receipt);
    const std::string failure = "failed at " + path + " from " + source.string() + ": " + content.substr(1990, 200);
    calls.error(ATTACHE_PROVIDER_FAILED, "failed", failure);
    calls.completed("see " + path, ATTACHE_PROVIDER_FAILED);
    return ATTACHE_PROVIDER_FAILED;
  };
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(given()));
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  std::string all;
  for (const Event& event : events) {
    if (const auto* raw = std::get_if<RawChunk>(&event.body)) all += raw->bytes;
    if (const auto* notice = std::get_if<Notice>(&event.body)) all += notice->text;
    if (const auto* item = std::get_if<TranscriptItem>(&event.body)) all += item->json;
    if (const auto* receipt = std::get_if<Receipt>(&event.body)) all += receipt->media_type;
    if (const auto* call = std::get_if<ToolCall>(&event.body)) all += call->arguments_json;
    if (const auto* result = std::get_if<ToolResult>(&event.body)) all += result->text;
    if (const auto* last = std::get_if<Completed>(&event.body)) all += last->text;
  }
  expect_clean(all);
  EXPECT_NE(all.find("[attache: input input-1 removed]"), std::string::npos);
  EXPECT_NE(all.find("attache-input://input-1"), std::string::npos);
  try {
    stream.result();
    ADD_FAILURE();
  } catch (const RunError& error) {
    expect_clean(error.what());
    EXPECT_EQ(error.result().text, "see attache-input://input-1");
    for (const Notice& notice : error.result().notices) expect_clean(notice.text);
  }
}

TEST_F(RunRedactionTest, ACheckpointIsCleanToo) {
  driver.run = [this](const attache_request& request, const Calls& calls) {
    const std::string path(test::view(request.inputs[0]->local_path));
    calls.checkpoint("{\"at\":\"" + path + "\",\"data\":\"" + sdk::base64_encode(content) + "\"}");
    return calls.answer("");
  };
  const Result result = agent().run("read", with_inputs(given()));
  EXPECT_EQ(result.checkpoint_json, R"({"at":"attache-input://input-1","data":"[attache: input input-1 removed]"})");
}

TEST_F(RunRedactionTest, AnAnswerMayQuoteATextInput) {
  driver.run = [this](const attache_request&, const Calls& calls) { return calls.answer("It says: " + content); };
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(given()));
  std::string streamed;
  while (std::optional<Event> event = stream.next()) {
    if (const auto* delta = std::get_if<TextDelta>(&event->body)) streamed += delta->text;
  }
  EXPECT_EQ(streamed, "It says: " + content);
  EXPECT_EQ(stream.result().text, "It says: " + content);
}

TEST_F(RunRedactionTest, R_K2_APathSplitOverDeltasIsCaught) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    const std::string path(test::view(request.inputs[0]->local_path));
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    for (const char c : path) calls.text(std::string_view(&c, 1));
    calls.completed(path);
    return ATTACHE_OK;
  };
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(given()));
  std::string streamed;
  while (std::optional<Event> event = stream.next()) {
    if (const auto* delta = std::get_if<TextDelta>(&event->body)) streamed += delta->text;
  }
  EXPECT_EQ(streamed, "attache-input://input-1");
  EXPECT_EQ(stream.result().text, "attache-input://input-1");
}

}  // namespace
}  // namespace attache
