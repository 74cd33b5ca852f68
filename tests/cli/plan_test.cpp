// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::ElementsAre;
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

TEST(CliPlan, OneCallListsEveryRuleOfEveryInputAndOfTheSetInOrder) {
  const TemporaryDirectory files;
  const std::string picture = files.write("a.png", small_png());
  std::vector<std::string> inputs{"--file",  files.write("long.txt", std::string(3000, 'x')),
                                  "--image", files.write("page.png", "<!doctype html><title>404</title>"),
                                  "--video", files.write("film.mp4", "no film"),
                                  "--file",  files.path() + "/missing.txt"};
  for (int good = 0; good < 17; ++good) inputs.insert(inputs.end(), {"--image", picture});
  std::vector<std::string> as_json = inputs;
  as_json.emplace_back("--json");
  const Finished json = plan(as_json);
  EXPECT_EQ(json.exit_code, 3);
  const nlohmann::json document = json_lines(json.out).at(0);
  std::vector<std::string> reasons, of_the_set;
  for (const nlohmann::json& input : document.at("inputs")) {
    for (const nlohmann::json& one : input.at("violations")) {
      reasons.push_back(std::to_string(input.at("index").get<int>()) + " " + one.at("reason").get<std::string>());
    }
  }
  for (const nlohmann::json& one : document.at("set_violations")) {
    of_the_set.push_back(one.at("reason").get<std::string>() + " " + std::to_string(one.at("limit").get<int>()));
  }
  EXPECT_THAT(reasons, ElementsAre("0 input_bytes_limit", "1 media_type_mismatch", "2 kind_unsupported",
                                   "2 media_type_mismatch", "3 open_failed"));
  EXPECT_THAT(of_the_set, ElementsAre("count_limit 20"));
  const Finished table = plan(inputs);
  EXPECT_EQ(table.exit_code, 3);
  std::size_t at = 0;
  for (const char* rule : {"/input_bytes_limit)", "/media_type_mismatch)", "/kind_unsupported)",
                           "/media_type_mismatch)", "/open_failed)", "together: ", "/count_limit)"}) {
    const std::size_t found = table.out.find(rule, at);
    ASSERT_NE(found, std::string::npos) << rule << " in " << table.out;
    at = found;
  }
  EXPECT_EQ(plan(as_json).out, json.out);
  EXPECT_EQ(plan(inputs).out, table.out);
}

TEST(CliPlan, TakesNoPrompt) {
  EXPECT_EQ(plan({"hello"}).exit_code, 2);
}

}  // namespace
}  // namespace attache::cli::test
