// SPDX-License-Identifier: Apache-2.0
// Whether a turn went well is read off turn/completed alone.
#include <ostream>

#include <gtest/gtest.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

struct Case {
  const char* scenario;
  attache_status status;
  const char* reason;
  std::uint32_t provider_code;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.reason;
}

class CodexVerdict : public ::testing::TestWithParam<Case> {};

TEST_P(CodexVerdict, OfATurn) {
  Stage stage;
  stage.scenario(GetParam().scenario);
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), GetParam().status);
  ASSERT_EQ(host.errors().size(), 1u);
  EXPECT_EQ(host.errors()[0].reason, GetParam().reason);
  EXPECT_EQ(host.errors()[0].provider_code, GetParam().provider_code);
  EXPECT_EQ(host.errors()[0].text.find("secret"), std::string::npos);
  EXPECT_EQ(host.deliveries().back(), ATTACHE_DELIVERED);
  EXPECT_TRUE(stage.clean());
}

constexpr attache_status refused = ATTACHE_PROVIDER_REFUSED, broken = ATTACHE_PROVIDER_FAILED;
INSTANTIATE_TEST_SUITE_P(
    Fails, CodexVerdict,
    ::testing::Values(Case{"status_400", refused, "invalid_request", 0},
                      Case{"status_401", refused, "authentication_failed", 401},
                      Case{"status_413", refused, "request_too_large", 413},
                      Case{"status_429", broken, "rate_limited", 429}, Case{"status_500", broken, "server_error", 0},
                      Case{"stream_cut", broken, "stream_cut", 0}, Case{"no_key", refused, "api_key_missing", 0},
                      Case{"unknown_error", broken, "provider_error", 0},
                      Case{"interrupted_by_other", broken, "provider_error", 0},
                      Case{"too_long", ATTACHE_TOO_LARGE, "prompt_too_long", 0},
                      Case{"refused_call", refused, "call_refused", 0}, Case{"no_result", broken, "no_result", 0},
                      Case{"dies", broken, "no_result", 0}, Case{"endless_line", broken, "frame_too_long", 0}),
    [](const ::testing::TestParamInfo<Case>& one) { return std::string(one.param.scenario); });

TEST(CodexVerdictOf, AnErrorThatIsRetriedIsNoFailure) {
  Stage stage;
  stage.scenario("retries");
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_EQ(host.events(ATTACHE_EVENT_NOTICE).at(0).name, "retrying");
}

TEST(CodexVerdictOf, TheLastWordIsTurnCompleted) {
  Stage stage;
  stage.scenario("error_then_completed");
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
}

TEST(CodexVerdictOf, StandardErrorIsRawAndNeverPartOfTheError) {
  Stage stage;
  stage.scenario("no_result");
  TurnRequest request("hi");
  const Recorder host;
  CodexInstance(stage.config()).run(request, host);
  EXPECT_EQ(host.errors().at(0).text.find("something"), std::string::npos);
  EXPECT_EQ(host.events(ATTACHE_EVENT_RAW).at(0).text, "something about the run\n");
}

}  // namespace
}  // namespace attache::testing
