// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;

class CliInterrupt : public testing::TestWithParam<int> {};

TEST_P(CliInterrupt, CancelsTheRunOnceItAnswers) {
  Child child(run_words({"-s", "behave=wait", "hello"}));
  ASSERT_TRUE(child.wait_for_output("waiting\n"));
  child.send_signal(GetParam());
  const Finished result = child.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_EQ(result.signal, 0);
  EXPECT_THAT(result.err, HasSubstr("(cancelled/"));
}
INSTANTIATE_TEST_SUITE_P(Signals, CliInterrupt, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(CliInterruptJson, LastLineIsTheError) {
  Child child(run_words({"--json", "-s", "behave=wait", "hello"}));
  ASSERT_TRUE(child.wait_for_output("waiting"));
  child.send_signal(SIGINT);
  const Finished result = child.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  const nlohmann::json last = json_lines(result.out).back();
  EXPECT_EQ(last.at("type"), "error");
  EXPECT_EQ(last.at("code"), "cancelled");
  EXPECT_EQ(last.at("delivery"), "delivered");
}

TEST(CliReaderGone, EndsQuietlyWith141) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"-s", "behave=flood", "hello"}, {"--json", "-s", "behave=flood", "hello"}}) {
    Child child(run_words(arguments));
    ASSERT_TRUE(child.wait_for_output("without end"));
    child.close_output();
    const Finished result = child.wait();
    EXPECT_EQ(result.exit_code, 141);
    EXPECT_EQ(result.err, "");
  }
}

}  // namespace
}  // namespace attache::cli::test
