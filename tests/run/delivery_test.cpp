// SPDX-License-Identifier: Apache-2.0
// What failures become, and what is tried again.
#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::text_input;
using test::view;

class DeliveryTest : public RunTest {
 protected:
  static attache_status fail(const Calls& calls, attache_delivery state, attache_status status,
                             std::string_view reason = "why", std::int64_t index = -1, std::uint64_t limit = 0) {
    calls.started();
    if (state != ATTACHE_NOT_STARTED) calls.delivery(state);
    calls.error(status, reason, "A sentence.", index, limit);
    calls.completed("", status);
    return status;
  }
  const std::string text = "some text";
};

TEST_F(DeliveryTest, EveryStatusHasItsCode) {
  const std::vector<std::pair<attache_status, errc>> pairs{
      {ATTACHE_INVALID, errc::input_invalid},
      {ATTACHE_UNSUPPORTED_KIND, errc::input_kind_unsupported},
      {ATTACHE_UNSUPPORTED_MEDIA_TYPE, errc::input_media_type_unsupported},
      {ATTACHE_UNSUPPORTED_MODE, errc::input_mode_unsupported},
      {ATTACHE_TOO_LARGE, errc::input_too_large},
      {ATTACHE_LAUNCH_FAILED, errc::launch_failed},
      {ATTACHE_PROVIDER_REFUSED, errc::provider_refused},
      {ATTACHE_PROVIDER_FAILED, errc::provider_failed},
      {ATTACHE_RESUME_REJECTED, errc::resume_rejected},
      {ATTACHE_CANCELLED, errc::cancelled},
      {ATTACHE_TIMEOUT, errc::timeout},
      {ATTACHE_CONTRACT, errc::driver_contract},
      {ATTACHE_INTERNAL, errc::internal},
      {4711, errc::internal},
      {-1, errc::internal}};
  Agent to = agent();
  for (const auto& pair : pairs) {
    driver.run = [&](const attache_request&, const Calls& calls) {
      return fail(calls, ATTACHE_INDETERMINATE, pair.first);
    };
    const RunError error = run_error(to);
    EXPECT_EQ(error.code(), pair.second) << pair.first;
    EXPECT_EQ(error.reason(), "why");
    EXPECT_EQ(error.delivery(), Delivery::indeterminate);
    EXPECT_FALSE(retry_safe(error));
  }
}

TEST_F(DeliveryTest, AProvidersInputErrorNamesTheInput) {
  driver.run = [&](const attache_request&, const Calls& calls) {
    return fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_TOO_LARGE, "pixels", 1, 8000);
  };
  Agent to = agent();
  const RunError error = run_error(to, with_inputs(text_input(text), text_input(text)));
  EXPECT_EQ(error.code(), errc::input_too_large);
  EXPECT_TRUE(retry_safe(error));
  ASSERT_TRUE(error.input().has_value());
  EXPECT_EQ(error.input()->index, 1U);
  EXPECT_EQ(error.input()->kind, input::Kind::file);
  EXPECT_EQ(error.input()->media_type, "text/plain");
  EXPECT_EQ(error.input()->driver, "fake");
  EXPECT_EQ(error.input()->limit, 8000U);
  EXPECT_EQ(error.input()->limit_owner, "driver");
}

TEST_F(DeliveryTest, AnIndexBeyondTheInputsIsNotBelieved) {
  driver.run = [&](const attache_request&, const Calls& calls) {
    return fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_INVALID, "why", 9);
  };
  Agent to = agent();
  const RunError error = run_error(to, with_inputs(text_input(text)));
  ASSERT_TRUE(error.input().has_value());
  EXPECT_EQ(error.input()->index, std::nullopt);
}

TEST_F(DeliveryTest, AFailureWithoutASentenceIsUnspecified) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.completed("", ATTACHE_PROVIDER_FAILED);
    return ATTACHE_PROVIDER_FAILED;
  };
  Agent to = agent();
  const RunError error = run_error(to);
  EXPECT_EQ(error.reason(), "unspecified");
  EXPECT_EQ(error.delivery(), Delivery::indeterminate);  // entered, and nothing reported
}

TEST_F(DeliveryTest, ProviderCodeAndRequestIdAreKept) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    attache_error error{};
    error.struct_size = sizeof error;
    error.status = ATTACHE_PROVIDER_REFUSED;
    error.provider_code = 400;
    error.input_index = -1;
    error.reason = test::span("bad_request");
    error.request_id = test::span("req_1");
    test::FakeDriver::host().set_error(calls.handle(), &error);
    calls.error(ATTACHE_PROVIDER_REFUSED, "second", "the first call wins");
    calls.completed("", ATTACHE_PROVIDER_REFUSED);
    return ATTACHE_PROVIDER_REFUSED;
  };
  Agent to = agent();
  const RunError error = run_error(to);
  EXPECT_EQ(error.reason(), "bad_request");
  EXPECT_EQ(error.provider_code, 400U);
  EXPECT_EQ(error.request_id, "req_1");
  EXPECT_EQ(driver.entered, 1);  // R-D2: a refusal is final
}

TEST_F(DeliveryTest, R_M1_ALaunchIsTriedOnceMoreWithTheSameFiles) {
  std::vector<std::string> paths, contents;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    paths.emplace_back(view(request.inputs[0]->local_path));
    contents.push_back(test::read_file(paths.back()));
    return driver.entered == 1 ? fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_LAUNCH_FAILED) : calls.answer("second");
  };
  const std::filesystem::path source = scratch.write("source.txt", text);
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(input::from_path(input::Kind::file, source)));
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  EXPECT_EQ(stream.result().text, "second");
  EXPECT_EQ(stream.result().contract_violations, 0U);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0], paths[1]);
  EXPECT_EQ(contents, (std::vector<std::string>{text, text}));
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(DeliveryTest, R_M1_TheSourceIsNotOpenedAgain) {
  const std::filesystem::path source = scratch.write("source.txt", text);
  driver.run = [&](const attache_request& request, const Calls& calls) {
    EXPECT_EQ(test::read_file(std::string(view(request.inputs[0]->local_path))), text);
    std::filesystem::remove(source);  // a second opening would fail
    return driver.entered == 1 ? fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_LAUNCH_FAILED) : calls.answer("second");
  };
  EXPECT_EQ(agent().run("read", with_inputs(input::from_path(input::Kind::file, source))).text, "second");
}

TEST_F(DeliveryTest, ALaunchThatFailsTwiceIsNotTriedAThirdTime) {
  driver.run = [&](const attache_request&, const Calls& calls) {
    return fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_LAUNCH_FAILED, "not_found");
  };
  Agent to = agent();
  const RunError error = run_error(to);
  EXPECT_EQ(driver.entered, 2);
  EXPECT_EQ(error.code(), errc::launch_failed);
  EXPECT_EQ(error.reason(), "not_found");
  EXPECT_TRUE(retry_safe(error));
}

TEST_F(DeliveryTest, R_M2_NothingIndeterminateIsReplayed) {
  for (const attache_delivery state : {ATTACHE_NOT_STARTED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}) {
    driver.entered = 0;
    driver.run = [&](const attache_request&, const Calls& calls) { return fail(calls, state, ATTACHE_LAUNCH_FAILED); };
    Agent to = agent();
    const RunError error = run_error(to);
    EXPECT_EQ(driver.entered, 1) << state;
    EXPECT_FALSE(retry_safe(error)) << state;
    EXPECT_GE(error.delivery(), Delivery::indeterminate) << state;
  }
}

TEST_F(DeliveryTest, OtherFailuresBeforeDeliveryAreNotTriedAgain) {
  driver.run = [&](const attache_request&, const Calls& calls) {
    return fail(calls, ATTACHE_NOT_DELIVERED, ATTACHE_PROVIDER_FAILED);
  };
  Agent to = agent();
  run_error(to);
  EXPECT_EQ(driver.entered, 1);
}

TEST_F(DeliveryTest, SuccessWithoutDeliveryIsAContractFailure) {
  for (const attache_delivery state : {ATTACHE_NOT_STARTED, ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE}) {
    driver.run = [&](const attache_request&, const Calls& calls) {
      calls.started();
      if (state != ATTACHE_NOT_STARTED) calls.delivery(state);
      calls.completed("answer");
      return ATTACHE_OK;
    };
    Agent to = agent();
    const RunError error = run_error(to);
    EXPECT_EQ(error.code(), errc::driver_contract);
    EXPECT_EQ(error.reason(), "delivery_missing");
    EXPECT_EQ(error.result().text, "answer");
  }
}

}  // namespace
}  // namespace attache
