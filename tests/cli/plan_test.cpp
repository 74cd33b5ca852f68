// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;

Finished plan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-d", "cli-test"});
  return attache::test::run_command(command("plan", std::move(arguments)));
}

TEST(CliPlan, TableOfWhatWouldBecome) {
  const TemporaryDirectory files;
  const Finished result =
      plan({"--image", files.write("a.png", small_png()), "--file", files.write("b.txt", "some text")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("#  KIND   NAME   TYPE"));
  EXPECT_THAT(result.out, HasSubstr("1  image  a.png  image/png"));
  EXPECT_THAT(result.out, HasSubstr("2  file   b.txt  text/plain"));
}

TEST(CliPlan, EveryViolationAndExitCodeThree) {
  const TemporaryDirectory files;
  const std::vector<std::string> inputs{"--video", files.write("a.mp4", "no film"),
                                        "--image", files.write("a.png", small_png()),
                                        "--file",  files.write("b.txt", std::string(3000, 'x'))};
  const Finished result = plan(inputs);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("(input_kind_unsupported/"));
  EXPECT_THAT(result.out, HasSubstr("(input_too_large/"));
  std::vector<std::string> as_json = inputs;
  as_json.emplace_back("--json");
  const Finished json = plan(as_json);
  EXPECT_EQ(json.exit_code, 3);
  const nlohmann::json document = json_lines(json.out).at(0);
  EXPECT_EQ(document.at("type"), "plan");
  EXPECT_EQ(document.at("ok"), false);
  EXPECT_EQ(document.at("inputs").at(0).at("mode"), nullptr);
  EXPECT_EQ(document.at("inputs").at(1).at("mode"), "native");
  EXPECT_TRUE(document.at("inputs").at(1).at("violations").empty());
  EXPECT_EQ(document.at("inputs").at(2).at("violations").at(0).at("limit"), 2000);
  EXPECT_EQ(document.at("inputs").at(2).at("violations").at(0).at("limit_owner"), "driver");
}

TEST(CliPlan, TakesNoPrompt) {
  EXPECT_EQ(plan({"hello"}).exit_code, 2);
}

}  // namespace
}  // namespace attache::cli::test
