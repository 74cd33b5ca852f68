// SPDX-License-Identifier: Apache-2.0
// R-G5 on a real terminal: what others wrote does not move the cursor or turn text around.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;

CommandOptions on_terminal() {
  CommandOptions options;
  options.terminal = true;
  return options;
}

TEST(CliTerminal, R_G5_AnswerNoticeAndToolTextAreNeutralised) {
  const Finished result = run({"-s", "behave=hostile", "hello"}, on_terminal());
  EXPECT_EQ(result.exit_code, 0);
  for (const char* part : {"\x1b", "\u202E", "\x07", "\u009B"}) {
    EXPECT_FALSE(contains(result.out, part)) << result.out;
  }
  EXPECT_THAT(result.out, HasSubstr("answer \\x1B[2J and \\u{202E}back"));
  EXPECT_THAT(result.out, HasSubstr("tool tool\\x1B[31m"));
  EXPECT_THAT(result.out, HasSubstr("tool failed: result \\x1B]0;title\\x07 and \\x9B31m"));
}

TEST(CliTerminal, PipedAnswerIsExact) {
  const Finished result = run({"-s", "behave=hostile", "hello"});
  EXPECT_EQ(result.out,
            "answer \x1b[2J and \u202E"
            "back\n");
  EXPECT_FALSE(contains(result.err, "\x1b"));
  EXPECT_FALSE(contains(result.err, "\u202E"));
}

TEST(CliTerminal, StatusLineForLargeInputsIsErasedBeforeTheAnswer) {
  const TemporaryDirectory files;
  std::string image = small_png();
  image.resize(2u << 20, 'x');
  const std::string path = files.write("large.png", image);
  const Finished result = run({"--image", path, "hello"}, on_terminal());
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const std::size_t status = result.out.find("sending 1 input, 2.0 MiB"), erased = result.out.rfind("\r\x1b[K"),
                    answer = result.out.find("prompt hello");
  ASSERT_NE(status, std::string::npos) << result.out;
  ASSERT_NE(erased, std::string::npos);
  EXPECT_LT(status, erased);
  EXPECT_LT(erased, answer);
}

TEST(CliTerminal, NoStatusLineNorColourWhenPipedOrSmall) {
  const TemporaryDirectory files;
  std::string image = small_png();
  const std::string small = files.write("small.png", image);
  image.resize(2u << 20, 'x');
  const Finished piped = run({"--image", files.write("large.png", image), "hello"});
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_FALSE(contains(piped.out + piped.err, "\x1b"));
  EXPECT_FALSE(contains(piped.err, "sending"));
  const Finished few = run({"--image", small, "hello"}, on_terminal());
  EXPECT_FALSE(contains(few.out, "sending"));
}

}  // namespace
}  // namespace attache::cli::test
