// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include <attache/error.hpp>
#include <attache/result.hpp>

namespace attache {
namespace {

constexpr errc every_code[] = {errc::input_invalid,
                               errc::input_kind_unsupported,
                               errc::input_media_type_unsupported,
                               errc::input_mode_unsupported,
                               errc::input_too_large,
                               errc::input_digest_mismatch,
                               errc::input_materialization_failed,
                               errc::input_dropped,
                               errc::driver_not_found,
                               errc::driver_refused,
                               errc::config_invalid,
                               errc::option_unsupported,
                               errc::agent_closed,
                               errc::launch_failed,
                               errc::provider_refused,
                               errc::provider_failed,
                               errc::resume_rejected,
                               errc::cancelled,
                               errc::timeout,
                               errc::driver_contract,
                               errc::internal};

Result result_with(Delivery delivery) {
  Result result;
  result.delivery = delivery;
  return result;
}

TEST(ErrorCategory, EveryCodeHasASentenceOfItsOwn) {
  std::set<std::string> sentences;
  for (const errc code : every_code) {
    const std::error_code standard = code;
    EXPECT_STREQ(standard.category().name(), "attache");
    EXPECT_NE(to_string(code), "unknown");
    EXPECT_NE(standard.message(), "unknown error") << standard.value();
    EXPECT_TRUE(sentences.insert(standard.message()).second) << standard.message();
  }
  EXPECT_EQ(attache_category().message(9999), "unknown error");
  EXPECT_EQ(to_string(static_cast<errc>(9999)), "unknown");
  EXPECT_EQ(to_string(errc::input_too_large), "input_too_large");
}

TEST(ErrorCategory, CodesCompareWithErrc) {
  const Error error(errc::config_invalid, "schema", "text");
  EXPECT_TRUE(error.error_code() == errc::config_invalid);
  EXPECT_FALSE(error.error_code() == errc::internal);
}

TEST(InputErrorType, CarriesEveryField) {
  InputErrorFields fields;
  fields.index = 3;
  fields.kind = input::Kind::audio;
  fields.media_type = "audio/wav";
  fields.driver = "claude";
  fields.limit = 7;
  fields.limit_owner = "driver";
  fields.alternative = "use the gemini driver";
  const InputError error(errc::input_too_large, "count_limit", "sentence", fields);
  const Error& base = error;
  EXPECT_STREQ(base.what(), "sentence");
  EXPECT_EQ(base.code(), errc::input_too_large);
  EXPECT_EQ(base.reason(), "count_limit");
  EXPECT_EQ(error.index(), 3u);
  EXPECT_EQ(error.kind(), input::Kind::audio);
  EXPECT_EQ(error.media_type(), "audio/wav");
  EXPECT_EQ(error.driver(), "claude");
  EXPECT_EQ(error.limit(), 7u);
  EXPECT_EQ(error.limit_owner(), "driver");
  EXPECT_EQ(error.alternative(), "use the gemini driver");
}

TEST(RetrySafe, PlainErrorsComeBeforeTheDriver) {
  EXPECT_TRUE(retry_safe(InputError(errc::input_too_large, "count_limit", "x", {})));
  EXPECT_TRUE(retry_safe(Error(errc::cancelled, "cancelled", "x")));
  EXPECT_TRUE(retry_safe(Error(errc::launch_failed, "spawn", "x")));
  EXPECT_FALSE(retry_safe(InputError(errc::input_dropped, "dropped", "x", {})));
  EXPECT_FALSE(retry_safe(Error(errc::provider_failed, "died", "x")));
  EXPECT_FALSE(retry_safe(Error(errc::provider_refused, "status", "x")));
}

TEST(RetrySafe, RunErrorsGoByTheDeliveryState) {
  for (const errc code : every_code) {
    EXPECT_TRUE(retry_safe(RunError(code, "r", "x", result_with(Delivery::not_started), std::nullopt)));
    EXPECT_TRUE(retry_safe(RunError(code, "r", "x", result_with(Delivery::not_delivered), std::nullopt)));
    EXPECT_FALSE(retry_safe(RunError(code, "r", "x", result_with(Delivery::indeterminate), std::nullopt)));
    EXPECT_FALSE(retry_safe(RunError(code, "r", "x", result_with(Delivery::delivered), std::nullopt)));
  }
}

TEST(RunErrorType, CarriesTheResultAndTheInput) {
  Result result = result_with(Delivery::delivered);
  result.text = "partial";
  InputErrorFields fields;
  fields.index = 1;
  const RunError error(errc::input_dropped, "dropped", "x", result, fields);
  EXPECT_EQ(error.result().text, "partial");
  EXPECT_EQ(error.delivery(), Delivery::delivered);
  EXPECT_EQ(error.input()->index, 1u);
}

TEST(Words, RoundTrip) {
  for (const auto kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    EXPECT_EQ(input::kind_from_string(input::to_string(kind)), kind);
  }
  for (const auto mode : {input::Mode::native, input::Mode::workspace_reference, input::Mode::provider_url}) {
    EXPECT_EQ(input::mode_from_string(input::to_string(mode)), mode);
  }
  EXPECT_FALSE(input::kind_from_string("Image"));
  EXPECT_FALSE(input::kind_from_string(""));
  EXPECT_FALSE(input::mode_from_string("unknown"));
  EXPECT_EQ(input::to_string(static_cast<input::Kind>(99)), "unknown");
}

TEST(Words, DeliveryAndReceipts) {
  EXPECT_EQ(to_string(Delivery::not_started), "not_started");
  EXPECT_EQ(to_string(Delivery::not_delivered), "not_delivered");
  EXPECT_EQ(to_string(Delivery::indeterminate), "indeterminate");
  EXPECT_EQ(to_string(Delivery::delivered), "delivered");
  EXPECT_EQ(to_string(Receipt::Outcome::exact), "exact");
  EXPECT_EQ(to_string(Receipt::Outcome::altered), "altered");
  EXPECT_EQ(to_string(Receipt::Outcome::dropped), "dropped");
  EXPECT_EQ(to_string(Receipt::Outcome::unknown), "unknown");
}

}  // namespace
}  // namespace attache
