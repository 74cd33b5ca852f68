// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

attache_request prompt_only() {
  attache_request request{};
  request.struct_size = sizeof request;
  request.prompt = {"hi", 2};
  return request;
}

struct Ending {
  attache_status status;
  std::vector<RecordedError> errors;
  std::vector<RecordedEvent> events;
};

Ending run_with(std::function<void(const sdk::Request&, sdk::Run&)> body) {
  script = {};
  script.run = std::move(body);
  const Loaded driver;
  const Recorder run;
  const attache_request request = prompt_only();
  const attache_status status = driver.table->run(driver.instance, &request, run.id());
  return {status, run.errors(), run.events()};
}

TEST(Failure, CarriesEverythingItHolds) {
  const Ending end = run_with([](const sdk::Request&, sdk::Run&) {
    throw sdk::Failure(sdk::Status::too_large, "count_limit", "too many")
        .input(3)
        .limit(7)
        .provider_code(413)
        .request_id("req_1");
  });
  EXPECT_EQ(end.status, ATTACHE_TOO_LARGE);
  ASSERT_EQ(end.errors.size(), 1u);
  const RecordedError& error = end.errors[0];
  EXPECT_EQ(error.status, ATTACHE_TOO_LARGE);
  EXPECT_EQ(error.reason, "count_limit");
  EXPECT_EQ(error.text, "too many");
  EXPECT_EQ(error.input_index, 3);
  EXPECT_EQ(error.limit, 7u);
  EXPECT_EQ(error.provider_code, 413u);
  EXPECT_EQ(error.request_id, "req_1");
}

TEST(Failure, AboutNoInputSaysMinusOne) {
  const Ending end =
      run_with([](const sdk::Request&, sdk::Run&) { throw sdk::Failure(sdk::Status::timeout, "idle", "silent"); });
  EXPECT_EQ(end.errors.at(0).input_index, -1);
}

TEST(Failure, OfAnotherKindIsInternalWithoutItsMessage) {
  const auto foreign = [](const std::function<void()>& thrower, const char* reason) {
    const Ending end = run_with([&](const sdk::Request&, sdk::Run&) { thrower(); });
    EXPECT_EQ(end.status, ATTACHE_INTERNAL);
    ASSERT_EQ(end.errors.size(), 1u);
    EXPECT_EQ(end.errors[0].status, ATTACHE_INTERNAL);
    EXPECT_EQ(end.errors[0].reason, reason);
    EXPECT_EQ(end.errors[0].text.find("secret"), std::string::npos);
    EXPECT_EQ(end.events.back().code, static_cast<std::uint32_t>(ATTACHE_INTERNAL));
  };
  foreign([] { throw std::runtime_error("a secret of /run/dir"); }, "exception");
  foreign([] { throw std::bad_alloc(); }, "out_of_memory");
  foreign([] { throw 42; }, "unknown_exception");
}

TEST(Failure, ThatSaysOkOrNonsenseIsInternal) {
  for (const attache_status odd : {ATTACHE_OK, 99, -1}) {
    const Ending end = run_with(
        [odd](const sdk::Request&, sdk::Run&) { throw sdk::Failure(static_cast<sdk::Status>(odd), "odd", "odd"); });
    EXPECT_EQ(end.status, ATTACHE_INTERNAL);
    EXPECT_EQ(end.errors.at(0).status, ATTACHE_INTERNAL);
  }
}

TEST(Failure, ReasonThatIsNoSlugIsReplaced) {
  for (const char* odd : {"", "Not A Slug", "a/b"}) {
    const Ending end =
        run_with([odd](const sdk::Request&, sdk::Run&) { throw sdk::Failure(sdk::Status::invalid, odd, "text"); });
    EXPECT_EQ(end.status, ATTACHE_INVALID);
    EXPECT_EQ(end.errors.at(0).reason, "unspecified");
  }
}

TEST(Failure, StillGivesStartedAndCompleted) {
  const Ending end =
      run_with([](const sdk::Request&, sdk::Run&) { throw sdk::Failure(sdk::Status::invalid, "x", "y"); });
  ASSERT_EQ(end.events.size(), 2u);
  EXPECT_EQ(end.events[0].type, ATTACHE_EVENT_STARTED);
  EXPECT_EQ(end.events[1].type, ATTACHE_EVENT_COMPLETED);
  EXPECT_EQ(end.events[1].code, static_cast<std::uint32_t>(ATTACHE_INVALID));
}

}  // namespace
}  // namespace attache::testing
