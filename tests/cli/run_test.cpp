// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CliRun, AnswerOnStandardOutputOnly) {
  const Finished result = run({"hello"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "config {}\nprompt hello\n");
  EXPECT_EQ(result.err, "");
}

TEST(CliRun, R_F2_PromptThatLooksLikeAnOption) {
  for (const char* prompt : {"--help", "-i other.png", "--image", "--"}) {
    const Finished result = run({"--", prompt});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(std::string("prompt ") + prompt + "\n"));
  }
}

TEST(CliRun, PromptThatIsAVerbOrAList) {
  for (const char* prompt : {"plan", "drivers", "[a, b]", "{}", "", "50% of \"x\"\nsecond line"}) {
    const TemporaryDirectory files;
    const Finished result = run({"--image", files.write("a.png", small_png()), prompt});
    EXPECT_EQ(result.exit_code, 0) << prompt << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr(std::string("prompt ") + prompt + "\n"));
  }
}

TEST(CliRun, PromptFromStandardInput) {
  CommandOptions options;
  options.input = std::string(200000, 'x') + "\nend";
  const Finished result = run({"-"}, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("prompt " + options.input + "\n"));
}

TEST(CliRun, JsonLinesEndWithTheResult) {
  const TemporaryDirectory files;
  const Finished result = run({"--json", "--image", files.write("a.png", small_png()), "hello"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto lines = json_lines(result.out);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines.front().at("type"), "started");
  EXPECT_EQ(lines.front().at("model"), "test-model");
  for (std::size_t at = 0; at + 1 < lines.size(); ++at) {
    EXPECT_EQ(lines[at].at("sequence"), at + 1);
  }
  EXPECT_EQ(lines.back().at("type"), "result");
  EXPECT_EQ(lines.back().at("delivery"), "delivered");
  EXPECT_EQ(lines.back().at("inputs").at(0).at("sha256"), hex_sha256(small_png()));
  EXPECT_EQ(lines.back().at("inputs").at(0).at("mode"), "native");
  EXPECT_EQ(lines.back().at("receipts").at(0).at("outcome"), "unknown");
}

TEST(CliRun, JsonEndsWithTheErrorAndItsFields) {
  const TemporaryDirectory files;
  const Finished result = run({"--json", "--video", files.write("film.mp4", "no film"), "hello"});
  EXPECT_EQ(result.exit_code, 3);
  const auto lines = json_lines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at("type"), "error");
  EXPECT_EQ(lines[0].at("code"), "input_kind_unsupported");
  EXPECT_EQ(lines[0].at("retry_safe"), true);
  EXPECT_EQ(lines[0].at("exit_code"), 3);
  EXPECT_EQ(lines[0].at("input").at("index"), 0);
  EXPECT_EQ(lines[0].at("input").at("kind"), "video");
  EXPECT_EQ(lines[0].at("input").at("alternative"), "Send still images.");
}

TEST(CliRun, RefusedInputSaysWhatToDo) {
  const TemporaryDirectory files;
  const Finished result = run({"--video", files.write("film.mp4", "no film"), "hello"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, testing::StartsWith("attache: "));
  EXPECT_THAT(result.err, HasSubstr("(input_kind_unsupported/"));
  EXPECT_THAT(result.err, HasSubstr("about input 1, video"));
  EXPECT_THAT(result.err, HasSubstr("instead: Send still images."));
  EXPECT_THAT(result.err, HasSubstr("nothing was sent"));
  EXPECT_THAT(result.err, Not(HasSubstr(files.path())));
}

TEST(CliRun, ProviderFailureSaysThatItMayHaveArrived) {
  const Finished result = run({"-s", "behave=refuse", "hello"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("(provider_refused/said_no)"));
  EXPECT_THAT(result.err, HasSubstr("delivery: delivered; running again may send it twice"));
}

TEST(CliRun, Usage) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"a", "b"},
                                                    {"--nonsense", "hello"},
                                                    {"--require", "magic", "hello"},
                                                    {"--timeout", "soon", "hello"},
                                                    {"--name", "x.png", "hello"},
                                                    {"--config", "{}", "--config-file", "f", "hello"}}) {
    const Finished result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, testing::StartsWith("attache: "));
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(attache::test::run_command({ATTACHE_CLI}).exit_code, 2);
}

TEST(CliRun, UnknownDriverSaysWhereWasSearched) {
  const Finished result = attache::test::run_command(command("run", {"-d", "no-such", "hello"}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("(driver_not_found/"));
  EXPECT_THAT(result.err, HasSubstr(ATTACHE_TEST_DRIVERS));
}

TEST(CliRun, ConfigFromEverySource) {
  const TemporaryDirectory files;
  const std::string file = files.write("config.json", R"({"label": "from file", "count": 1})");
  const Finished result = run({"--config-file", file, "-s", "count=2", "-s", "label=3", "hello"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(R"(config {"label":"3","count":2})"));
}

TEST(CliRun, InvalidConfig) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--config", "[1]", "hello"},
                                                    {"--config", "{", "hello"},
                                                    {"-s", "no-equals", "hello"},
                                                    {"-s", "unknown=1", "hello"},
                                                    {"-s", "count=many", "hello"},
                                                    {"--config-file", "/no/such/file", "hello"}}) {
    const Finished result = run(arguments);
    EXPECT_EQ(result.exit_code, 5) << arguments[1] << result.err;
    EXPECT_THAT(result.err, HasSubstr("(config_invalid/"));
  }
}

TEST(CliRun, Timeout) {
  const Finished result = run({"-s", "behave=wait", "--timeout", "0.2", "hello"});
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_THAT(result.err, HasSubstr("(timeout/"));
}

TEST(CliRun, HelpAndVersion) {
  const Finished help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("--image FILE"));
  EXPECT_EQ(help.err, "");
  const Finished version = attache::test::run_command({ATTACHE_CLI, "--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, testing::MatchesRegex("attache [0-9.]+\n"));
}

TEST(CliManual, NamesEveryOptionAndExitCode) {
  const std::string manual = attache::test::read_file(ATTACHE_CLI_MANUAL);
  for (const char* verb : {"run", "plan", "drivers"}) {
    std::istringstream words(attache::test::run_command({ATTACHE_CLI, verb, "--help"}).out);
    for (std::string word; words >> word;) {
      const std::string option = word.substr(word.find("--") == std::string::npos ? word.size() : word.find("--"));
      EXPECT_TRUE(option.size() < 3 || contains(manual, option)) << verb << " " << option;
    }
  }
  for (const char* code : {"| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 4 |", "| 5 |", "| 6 |", "| 130 |", "| 141 |"}) {
    EXPECT_THAT(manual, HasSubstr(code));
  }
}

}  // namespace
}  // namespace attache::cli::test
