// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::span;
using test::text_input;

class StreamTest : public RunTest {};

TEST_F(StreamTest, EveryEventTypeArrivesInOrder) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    calls.text("t");
    attache_event reasoning = test::event(ATTACHE_EVENT_REASONING_DELTA);
    reasoning.text = span("r");
    calls.emit(reasoning);
    attache_event call = test::event(ATTACHE_EVENT_TOOL_CALL);
    call.id = span("c1");
    call.name = span("read");
    call.json = span(R"({"a":1})");
    calls.emit(call);
    attache_event result = test::event(ATTACHE_EVENT_TOOL_RESULT);
    result.id = span("c1");
    result.text = span("failed");
    result.code = 1;
    calls.emit(result);
    calls.notice("a_slug", "A sentence.");
    attache_event item = test::event(ATTACHE_EVENT_TRANSCRIPT);
    item.json = span(R"({"role":"user"})");
    calls.emit(item);
    calls.raw("o", ATTACHE_RAW_STDOUT);
    calls.raw("e", ATTACHE_RAW_STDERR);
    calls.raw("w", ATTACHE_RAW_WIRE);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  Agent to = agent();
  Stream stream = to.stream("prompt");
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  ASSERT_EQ(events.size(), 11U);
  EXPECT_EQ(std::get<Started>(events[0].body).model, "model-1");
  EXPECT_EQ(std::get<TextDelta>(events[1].body).text, "t");
  EXPECT_EQ(std::get<ReasoningDelta>(events[2].body).text, "r");
  EXPECT_EQ(std::get<ToolCall>(events[3].body).arguments_json, R"({"a":1})");
  EXPECT_TRUE(std::get<ToolResult>(events[4].body).is_error);
  EXPECT_EQ(std::get<Notice>(events[5].body).slug, "a_slug");
  EXPECT_EQ(std::get<TranscriptItem>(events[6].body).json, R"({"role":"user"})");
  EXPECT_EQ(std::get<RawChunk>(events[7].body).channel, RawChunk::Channel::out);
  EXPECT_EQ(std::get<RawChunk>(events[8].body).channel, RawChunk::Channel::err);
  EXPECT_EQ(std::get<RawChunk>(events[9].body).channel, RawChunk::Channel::wire);
  EXPECT_EQ(std::get<Completed>(events[10].body).text, "answer");
  EXPECT_TRUE(std::get<Completed>(events[10].body).ok);
}

TEST_F(StreamTest, RangeForAndARepeatableResult) {
  Agent to = agent();
  Stream stream = to.stream("prompt");
  std::size_t count = 0;
  for (const Event& event : stream) count += event.sequence > 0 ? 1 : 0;
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(stream.result().text, "answer");
  EXPECT_EQ(stream.result().run_id, stream.run_id());
  EXPECT_FALSE(stream.next().has_value());
}

TEST_F(StreamTest, EarlyFailuresComeFromResultWithoutAnyEvent) {
  Agent to = agent();
  const std::string none;
  Stream stream = to.stream("prompt", with_inputs(text_input(none)));
  EXPECT_FALSE(stream.next().has_value());
  EXPECT_THROW(stream.result(), InputError);
  EXPECT_THROW(stream.result(), InputError);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(StreamTest, ResultWithoutReadingDropsEventsAndDoesNotHang) {
  AgentOptions with = options();
  with.event_buffer = 2;
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(calls.text("x"), ATTACHE_OK);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  Agent to(driver.driver(), with);
  Stream stream = to.stream("prompt");
  EXPECT_EQ(stream.result().text, "answer");
  EXPECT_EQ(to.run("prompt").text, "answer");
}

TEST_F(StreamTest, ASlowReaderMakesTheDriverWaitAndLosesNothing) {
  AgentOptions with = options();
  with.event_buffer = 1;
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    for (int i = 0; i < 500; ++i) calls.text(std::to_string(i));
    calls.completed("answer");
    return ATTACHE_OK;
  };
  Agent to(driver.driver(), with);
  Stream stream = to.stream("prompt");
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  EXPECT_EQ(events.size(), 502U);
}

TEST_F(StreamTest, BytesAreReadWhenStreamReturns) {
  std::string seen;
  test::Signal changed;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    changed.wait();
    seen = test::read_file(std::string(test::view(request.inputs[0]->local_path)));
    return calls.answer("");
  };
  Agent to = agent();
  std::string text = "before";
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  text = "xxxxxx";
  changed.set();
  stream.result();
  EXPECT_EQ(seen, "before");
}

TEST_F(StreamTest, TheLastEventComesAfterTheRunDirectoryIsGone) {
  const std::string text = "text";
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  while (std::optional<Event> event = stream.next()) {
    if (std::holds_alternative<Completed>(event->body)) {
      EXPECT_EQ(scratch.run_directories(), 0U);
    }
  }
}

TEST_F(StreamTest, ItMovesAndOutlivesItsAgent) {
  std::optional<Stream> kept;
  {
    Agent to = agent();
    Stream stream = to.stream("prompt");
    stream.result();
    kept.emplace(std::move(stream));
  }
  EXPECT_EQ(kept->result().text, "answer");
}

TEST_F(StreamTest, AnAgentMovesWithItsRuns) {
  Agent first = agent();
  Stream stream = first.stream("prompt");
  Agent second = std::move(first);
  EXPECT_EQ(stream.result().text, "answer");
  EXPECT_EQ(second.run("prompt").text, "answer");
  second = agent();
  EXPECT_EQ(driver.destroyed, 1);
}

}  // namespace
}  // namespace attache
