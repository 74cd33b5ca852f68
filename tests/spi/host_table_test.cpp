// SPDX-License-Identifier: Apache-2.0
#include "spi/host_table.hpp"

#include <array>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace attache::spi {
namespace {

attache_span span(const std::string& text) {
  return {text.data(), text.size()};
}

class Receiver : public RunCallbacks {
 public:
  attache_status on_event(const attache_event& event) override {
    std::unique_lock lock(mutex);
    inside = inside + 1;
    most_inside = std::max(most_inside, inside);
    changed.notify_all();
    changed.wait(lock, [this] { return !hold; });
    inside = inside - 1;
    types.push_back(event.type);
    ids.emplace_back(event.id.data == nullptr ? "" : std::string(event.id.data, event.id.size));
    return answer;
  }
  attache_status on_delivery(attache_delivery state) override {
    deliveries.push_back(state);
    return ATTACHE_OK;
  }
  attache_status on_checkpoint(std::string json) override {
    checkpoint = std::move(json);
    return ATTACHE_OK;
  }
  attache_status on_process_group(std::int64_t pgid, std::uint64_t start_time) override {
    groups.emplace_back(pgid, start_time);
    return answer;
  }
  attache_status on_private_directory(attache_span& path) override {
    path = span(directory);
    return answer;
  }
  attache_status on_error(DriverError value) override {
    error = std::move(value);
    return ATTACHE_OK;
  }
  bool cancelled() const noexcept override { return false; }
  void wait_inside() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return inside > 0; });
  }
  void let_go() {
    std::lock_guard lock(mutex);
    hold = false;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  bool hold = false;
  int inside = 0, most_inside = 0;
  attache_status answer = ATTACHE_OK;
  std::vector<std::uint32_t> types;
  std::vector<std::string> ids;
  std::vector<attache_delivery> deliveries;
  std::vector<std::pair<std::int64_t, std::uint64_t>> groups;
  std::string directory, checkpoint;
  DriverError error;
};

attache_event event_of(std::uint32_t type) {
  attache_event event{};
  event.struct_size = sizeof event;
  event.type = type;
  return event;
}

attache_error error_of(attache_status status) {
  attache_error error{};
  error.struct_size = sizeof error;
  error.status = status;
  error.input_index = -1;
  return error;
}

const attache_host& host() {
  return host_table();
}

TEST(HostTable, SaysItsOwnSizeAndMinor) {
  EXPECT_EQ(host().struct_size, sizeof(attache_host));
  EXPECT_EQ(host().minor, ATTACHE_SPI_MINOR);
  EXPECT_EQ(host().reserved0, 0U);
}

TEST(Sink, TakesOneDocumentAndOneError) {
  const Sink sink;
  const std::string first = "{}", second = "[]";
  const attache_span one = span(first), two = span(second);
  EXPECT_EQ(host().put(sink.handle(), &one), ATTACHE_OK);
  EXPECT_EQ(host().put(sink.handle(), &two), ATTACHE_CONTRACT);
  EXPECT_EQ(sink.document(), "{}");
  const attache_error error = error_of(ATTACHE_INVALID);
  EXPECT_EQ(host().fail(sink.handle(), &error), ATTACHE_OK);
  EXPECT_EQ(host().fail(sink.handle(), &error), ATTACHE_CONTRACT);
  EXPECT_EQ(sink.error()->status, ATTACHE_INVALID);
}

TEST(Sink, RefusesADocumentOverOneMebibyte) {
  const Sink sink;
  const std::string large((1U << 20) + 1, ' '), full(1U << 20, ' ');
  const attache_span over = span(large), at = span(full);
  EXPECT_EQ(host().put(sink.handle(), &over), ATTACHE_CONTRACT);
  EXPECT_EQ(sink.document(), std::nullopt);
  EXPECT_EQ(host().put(sink.handle(), &at), ATTACHE_OK);
}

TEST(Sink, IsDeadWhenTheCallReturned) {
  attache_sink handle = 0;
  {
    const Sink sink;
    handle = sink.handle();
  }
  const Sink next;  // takes the same slot
  const std::string json = "{}";
  const attache_span document = span(json);
  const std::uint64_t before = late_calls();
  EXPECT_EQ(host().put(handle, &document), ATTACHE_CONTRACT);
  EXPECT_EQ(late_calls(), before + 1);
  EXPECT_EQ(next.document(), std::nullopt);
}

TEST(DriverErrorCopy, IsWholeSoThatWhatMustNotBeShownIsFound) {
  const Sink sink;
  const std::string reason = "Not A Slug", text = "line\nbroken \xff" + std::string(2000, 'x');
  attache_error error = error_of(4711);
  error.reason = span(reason);
  error.text = span(text);
  ASSERT_EQ(host().fail(sink.handle(), &error), ATTACHE_OK);
  EXPECT_EQ(sink.error()->status, ATTACHE_INTERNAL);
  EXPECT_EQ(sink.error()->reason, "unspecified");
  EXPECT_EQ(sink.error()->text, text);
}

TEST(DriverErrorCopy, OfAShorterStructHasNoIndex) {
  const Sink sink;
  attache_error error = error_of(ATTACHE_INVALID);
  error.struct_size = 16;
  error.input_index = 3;
  ASSERT_EQ(host().fail(sink.handle(), &error), ATTACHE_OK);
  EXPECT_EQ(sink.error()->input_index, -1);
}

TEST(RunHandle, PassesCallsOn) {
  Receiver receiver;
  const RunHandle run(receiver);
  const std::string id = "input-1", json = "{\"s\":1}";
  attache_event event = event_of(ATTACHE_EVENT_RECEIPT);
  event.id = span(id);
  EXPECT_EQ(host().emit(run.value(), &event), ATTACHE_OK);
  EXPECT_EQ(receiver.ids, std::vector<std::string>{"input-1"});
  EXPECT_EQ(host().set_delivery(run.value(), ATTACHE_DELIVERED), ATTACHE_OK);
  EXPECT_EQ(host().set_delivery(run.value(), 99), ATTACHE_OK);
  EXPECT_EQ(receiver.deliveries, (std::vector<attache_delivery>{ATTACHE_DELIVERED, ATTACHE_INDETERMINATE}));
  const attache_span checkpoint = span(json);
  EXPECT_EQ(host().set_checkpoint(run.value(), &checkpoint), ATTACHE_OK);
  EXPECT_EQ(receiver.checkpoint, json);
  EXPECT_EQ(host().cancelled(run.value()), 0U);
  EXPECT_EQ(run.violations(), 0U);
}

TEST(RunHandle, RefusesWhatItCannotRead) {
  Receiver receiver;
  const RunHandle run(receiver);
  attache_event short_struct = event_of(ATTACHE_EVENT_STARTED);
  short_struct.struct_size = 8;
  attache_event reserved = event_of(ATTACHE_EVENT_STARTED);
  reserved.reserved0 = 1;
  attache_event null_span = event_of(ATTACHE_EVENT_STARTED);
  null_span.text = {nullptr, 4};
  attache_event endless = event_of(ATTACHE_EVENT_STARTED);
  endless.text = {"x", 1ULL << 40};
  const std::array<const attache_event*, 5> bad{nullptr, &short_struct, &reserved, &null_span, &endless};
  for (const attache_event* event : bad) EXPECT_EQ(host().emit(run.value(), event), ATTACHE_CONTRACT);
  EXPECT_EQ(host().set_checkpoint(run.value(), nullptr), ATTACHE_CONTRACT);
  EXPECT_EQ(host().set_error(run.value(), nullptr), ATTACHE_CONTRACT);
  EXPECT_TRUE(receiver.types.empty());
  EXPECT_EQ(run.violations(), 7U);
}

TEST(RunHandle, ReadsAnOlderAndANewerEvent) {
  Receiver receiver;
  const RunHandle run(receiver);
  attache_event older = event_of(ATTACHE_EVENT_STARTED);
  older.struct_size = offsetof(attache_event, id);
  older.id = {nullptr, 9};  // beyond its size: not read
  EXPECT_EQ(host().emit(run.value(), &older), ATTACHE_OK);
  struct {
    attache_event known;
    std::uint64_t appended;
  } newer{event_of(ATTACHE_EVENT_STARTED), 7};
  newer.known.struct_size = sizeof newer;
  EXPECT_EQ(host().emit(run.value(), &newer.known), ATTACHE_OK);
}

TEST(RunHandle, CountsWhatTheReceiverCallsAViolation) {
  Receiver receiver;
  receiver.answer = ATTACHE_CONTRACT;
  const RunHandle run(receiver);
  const attache_event event = event_of(ATTACHE_EVENT_STARTED);
  EXPECT_EQ(host().emit(run.value(), &event), ATTACHE_CONTRACT);
  EXPECT_EQ(run.violations(), 1U);
}

TEST(RunHandle, RecognisesLateAndForeignHandles) {
  Receiver receiver;
  attache_run old = 0;
  {
    const RunHandle run(receiver);
    old = run.value();
  }
  const RunHandle next(receiver);  // takes the same slot
  ASSERT_NE(next.value(), old);
  const attache_event event = event_of(ATTACHE_EVENT_STARTED);
  const std::uint64_t before = late_calls();
  EXPECT_EQ(host().emit(old, &event), ATTACHE_CONTRACT);
  EXPECT_EQ(host().set_delivery(old, ATTACHE_DELIVERED), ATTACHE_CONTRACT);
  EXPECT_EQ(host().retain(old), ATTACHE_CONTRACT);
  EXPECT_EQ(host().release(old), ATTACHE_CONTRACT);
  EXPECT_EQ(host().cancelled(old), 1U);
  attache_span path{};
  EXPECT_EQ(host().report_process_group(old, 4711, 99), ATTACHE_CONTRACT);
  EXPECT_EQ(host().private_directory(old, &path), ATTACHE_CONTRACT);
  EXPECT_EQ(path.data, nullptr);
  for (const attache_run foreign : {attache_run{0}, ~attache_run{0}, attache_run{0xFFFF}}) {
    EXPECT_EQ(host().emit(foreign, &event), ATTACHE_CONTRACT);
  }
  EXPECT_EQ(late_calls(), before + 10);
  EXPECT_TRUE(receiver.types.empty());
  EXPECT_EQ(next.violations(), 0U);
}

TEST(RunHandle, SerialisesCallsAndItsEndWaitsForThem) {
  Receiver receiver;
  receiver.hold = true;
  auto run = std::make_unique<RunHandle>(receiver);
  const attache_run handle = run->value();
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([handle] {
      const attache_event event = event_of(ATTACHE_EVENT_STARTED);
      host().emit(handle, &event);
    });
  }
  receiver.wait_inside();
  EXPECT_EQ(host().cancelled(handle), 0U);  // answered although a call is in progress
  std::thread ender([&run] { run.reset(); });
  receiver.let_go();
  ender.join();
  EXPECT_EQ(receiver.inside, 0);
  EXPECT_EQ(receiver.most_inside, 1);
  for (std::thread& caller : callers) caller.join();
}

TEST(RunHandle, PassesOnProcessGroupsWithSoundNumbers) {
  Receiver receiver;
  const RunHandle run(receiver);
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(host().report_process_group(run.value(), 4711, 99), ATTACHE_OK);
  EXPECT_EQ(host().report_process_group(run.value(), largest, 1), ATTACHE_OK);
  for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-4711}, largest + 1}) {
    EXPECT_EQ(host().report_process_group(run.value(), wrong, 99), ATTACHE_CONTRACT) << wrong;
  }
  EXPECT_EQ(host().report_process_group(run.value(), 4711, 0), ATTACHE_CONTRACT);
  EXPECT_EQ(receiver.groups, (std::vector<std::pair<std::int64_t, std::uint64_t>>{{4711, 99}, {largest, 1}}));
  EXPECT_EQ(run.violations(), 5U);
}

TEST(RunHandle, TakesSoManyProcessGroupsAndNoMore) {
  Receiver receiver;
  const RunHandle run(receiver);
  for (std::int64_t i = 0; i < 256; ++i) ASSERT_EQ(host().report_process_group(run.value(), 100 + i, 1), ATTACHE_OK);
  EXPECT_EQ(host().report_process_group(run.value(), 99, 1), ATTACHE_CONTRACT);
  EXPECT_EQ(receiver.groups.size(), 256U);
}

TEST(RunHandle, GivesThePrivateDirectoryOrSaysThatThereIsNone) {
  Receiver receiver;
  receiver.directory = "/private";
  const RunHandle run(receiver);
  attache_span path{};
  EXPECT_EQ(host().private_directory(run.value(), nullptr), ATTACHE_CONTRACT);
  ASSERT_EQ(host().private_directory(run.value(), &path), ATTACHE_OK);
  EXPECT_EQ(std::string(path.data, path.size), "/private");
  receiver.answer = ATTACHE_INTERNAL;
  EXPECT_EQ(host().private_directory(run.value(), &path), ATTACHE_INTERNAL);
  EXPECT_EQ(host().report_process_group(run.value(), 4711, 99), ATTACHE_INTERNAL);
  EXPECT_EQ(run.violations(), 1U);
}

TEST(RunHandle, WaitsForReferences) {
  Receiver receiver;
  RunHandle run(receiver);
  EXPECT_EQ(host().retain(run.value()), ATTACHE_OK);
  EXPECT_FALSE(run.wait_released(0));
  std::thread source([&run] { host().release(run.value()); });
  EXPECT_TRUE(run.wait_released(-1));
  source.join();
  EXPECT_EQ(host().retain(run.value()), ATTACHE_CONTRACT);  // the run is over
}

TEST(RunHandle, CountsAReleaseWithoutReference) {
  Receiver receiver;
  const RunHandle run(receiver);
  EXPECT_EQ(host().release(run.value()), ATTACHE_CONTRACT);
  EXPECT_EQ(run.violations(), 1U);
}

TEST(RunHandle, AbandonedKeepsOnlyTheCount) {
  Receiver receiver;
  RunHandle run(receiver);
  ASSERT_EQ(host().retain(run.value()), ATTACHE_OK);
  run.abandon();
  const attache_event event = event_of(ATTACHE_EVENT_STARTED);
  EXPECT_EQ(host().emit(run.value(), &event), ATTACHE_CONTRACT);
  EXPECT_EQ(host().cancelled(run.value()), 1U);
  EXPECT_TRUE(receiver.types.empty());
  EXPECT_EQ(host().release(run.value()), ATTACHE_CONTRACT);
  EXPECT_TRUE(run.wait_released(-1));
}

}  // namespace
}  // namespace attache::spi
