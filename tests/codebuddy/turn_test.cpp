// SPDX-License-Identifier: Apache-2.0
// How a turn ends, and what it tells. The exit code decides nothing.
#include "harness.hpp"

namespace attache::testing {
namespace {

class CodebuddyTurn : public CodebuddyTest {};

TEST_F(CodebuddyTurn, AnswersWithUsageAndTools) {
  scenario("tools");
  Agent codebuddy = agent();
  const Result result = codebuddy.run("look");
  EXPECT_EQ(result.text, "the answer");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  EXPECT_TRUE(std::filesystem::exists(root_ / "record/closed")) << "the input is closed after the result";
}

TEST_F(CodebuddyTurn, AnErrorFrameEndsTheTurn) {
  expect_failed("error:Cannot read properties of undefined (reading 'type') /secret", errc::provider_failed,
                "provider_error");
  expect_failed("error:Request body larger than maxBodyLength limit", errc::provider_refused, "request_too_large");
}

TEST_F(CodebuddyTurn, AFailedResultIsTypedByWhatItSays) {
  expect_failed("failed:400 no secret (r/s)", errc::provider_refused, "invalid_request");
  expect_failed("failed:401 no", errc::provider_refused, "authentication_failed");
  expect_failed("failed:429 slow down", errc::provider_failed, "rate_limited");
  expect_failed("failed:500 no", errc::provider_failed, "server_error");
  expect_failed("failed:5000 no", errc::provider_failed, "provider_error");
  expect_failed("failed:Authentication required. Please use /login", errc::provider_refused, "not_logged_in");
  expect_failed("failed:No response received from model", errc::provider_failed, "no_answer");
}

TEST_F(CodebuddyTurn, APermissionRequestIsAnErrorAndNoHang) {
  expect_failed("asks", errc::provider_failed, "permission_needed");
}

TEST_F(CodebuddyTurn, AnEndWithoutAResultIsAnErrorWhateverTheExitCode) {
  expect_failed("dies", errc::provider_failed, "no_result");
}

TEST_F(CodebuddyTurn, AnExitCodeAfterAResultCountsForNothing) {
  for (const char* how : {"exit_lies", "noise"}) {
    scenario(how);
    EXPECT_EQ(agent().run("look").text, "the answer");
  }
}

TEST_F(CodebuddyTurn, R_L2_SilenceEndsAtTheIdleLimit) {
  scenario("hangs");
  Agent codebuddy = agent();
  try {
    codebuddy.run("look", with_idle_limit(std::chrono::milliseconds(200)));
    ADD_FAILURE() << "it went well";
  } catch (const RunError& error) {
    EXPECT_EQ(error.reason(), "idle");
    EXPECT_EQ(error.delivery(), Delivery::delivered);
  }
}

}  // namespace
}  // namespace attache::testing
