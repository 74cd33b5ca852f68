// SPDX-License-Identifier: Apache-2.0
// Whether a turn went well is never read off `subtype` or the exit code.
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

class Verdict : public ::testing::TestWithParam<Case> {};

TEST_P(Verdict, Fails) {
  Stage stage;
  stage.scenario(GetParam().scenario);
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), GetParam().status);
  ASSERT_EQ(host.errors().size(), 1u);
  EXPECT_EQ(host.errors()[0].reason, GetParam().reason);
  EXPECT_EQ(host.errors()[0].provider_code, GetParam().provider_code);
  EXPECT_EQ(host.errors()[0].text.find("secret"), std::string::npos);
  EXPECT_EQ(host.deliveries().back(), ATTACHE_DELIVERED);
  EXPECT_TRUE(host.events(ATTACHE_EVENT_TEXT_DELTA).empty() ||
              std::string("error_then_success") == GetParam().scenario);
  EXPECT_TRUE(stage.clean());
}

INSTANTIATE_TEST_SUITE_P(Claude, Verdict,
                         ::testing::Values(Case{"request_too_large", ATTACHE_PROVIDER_REFUSED, "request_too_large",
                                                413},
                                           Case{"pdf_too_large", ATTACHE_PROVIDER_REFUSED, "pdf_too_large", 0},
                                           Case{"not_logged_in", ATTACHE_PROVIDER_REFUSED, "not_logged_in", 0},
                                           Case{"rate_limited", ATTACHE_PROVIDER_FAILED, "rate_limited", 429},
                                           Case{"server_error", ATTACHE_PROVIDER_FAILED, "server_error", 503},
                                           Case{"error_then_success", ATTACHE_PROVIDER_FAILED, "provider_error", 0},
                                           Case{"result_is_error", ATTACHE_PROVIDER_FAILED, "provider_error", 0},
                                           Case{"error_subtype", ATTACHE_PROVIDER_FAILED, "max_turns", 0},
                                           Case{"no_result", ATTACHE_PROVIDER_FAILED, "no_result", 3},
                                           Case{"cut_result", ATTACHE_PROVIDER_FAILED, "no_result", 0},
                                           Case{"endless_line", ATTACHE_PROVIDER_FAILED, "frame_too_long", 0}),
                         [](const ::testing::TestParamInfo<Case>& one) { return std::string(one.param.scenario); });

TEST(VerdictOf, AResultWithoutALineEndIsAResult) {
  Stage stage;
  stage.scenario("result_without_line_end");
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
}

TEST(VerdictOf, ARefusalCarriesTheRequestId) {
  Stage stage;
  stage.scenario("request_too_large");
  TurnRequest request("hi");
  const Recorder host;
  ClaudeInstance(stage.config()).run(request, host);
  EXPECT_EQ(host.errors().at(0).request_id, "req_9");
}

}  // namespace
}  // namespace attache::testing
