// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;

std::string input_line(int index, int kind, std::string_view type, std::string_view content) {
  return "input " + std::to_string(index) + " kind " + std::to_string(kind) + " " + std::string(type) + " " +
         std::to_string(content.size()) + " " + hex_sha256(content) + " name=";
}

TEST(CliInputs, OrderIsThatOfTheCommandLineAcrossKinds) {
  const TemporaryDirectory files;
  const std::string image = files.write("b.png", small_png()), note = files.write("a.txt", "first note"),
                    other = files.write("z.txt", "second note"), sound = files.write("s.wav", small_wav());
  const Finished result =
      run({"--file", note, "--image", image, "--audio=" + sound, "--file=" + other, "--image", image, "describe"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("prompt describe\n"));
  const std::size_t at[] = {result.out.find(input_line(0, 2, "text/plain", "first note")),
                            result.out.find(input_line(1, 1, "image/png", small_png())),
                            result.out.find(input_line(2, 3, "audio/wav", small_wav())),
                            result.out.find(input_line(3, 2, "text/plain", "second note")),
                            result.out.find(input_line(4, 1, "image/png", small_png()))};
  for (const std::size_t place : at) {
    EXPECT_NE(place, std::string::npos) << result.out;
  }
  EXPECT_TRUE(std::is_sorted(std::begin(at), std::end(at)));
}

TEST(CliInputs, R_F1_ImageOptionDoesNotEatThePrompt) {
  const TemporaryDirectory files;
  const std::string image = files.write("a.png", small_png());
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"describe"},
        {"--image", image, "describe"},
        {"describe", "--image", image},
        {"--image", image, "--image", image, "--image", image, "describe"}}) {
    const Finished result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("prompt describe\n"));
  }
}

TEST(CliInputs, NameAndTypeBelongToTheInputBefore) {
  const TemporaryDirectory files;
  const std::string first = files.write("1.bin", "one"), second = files.write("2.bin", "two");
  const Finished result = run({"--file", first, "--media-type", "text/plain", "--name", "first.txt", "--file", second,
                               "--name", "second.txt", "--media-type", "text/plain", "hello"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(input_line(0, 2, "text/plain", "one") + "first.txt\n"));
  EXPECT_THAT(result.out, HasSubstr(input_line(1, 2, "text/plain", "two") + "second.txt\n"));
}

TEST(CliInputs, RequiredModeIsForEveryInput) {
  const TemporaryDirectory files;
  const std::string image = files.write("a.png", small_png());
  EXPECT_EQ(run({"--image", image, "--require", "native", "hello"}).exit_code, 0);
  const Finished refused = run({"--image", image, "--require", "workspace_reference", "hello"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("(input_mode_unsupported/"));
}

TEST(CliInputs, TypedSymbolicLinkIsResolved) {
  const TemporaryDirectory files;
  files.write("real.png", small_png());
  std::filesystem::create_symlink("real.png", files.path() + "/link.png");
  const Finished result = run({"--image", files.path() + "/link.png", "hello"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(input_line(0, 1, "image/png", small_png())));
}

TEST(CliInputs, PathIsRelativeToTheWorkingDirectory) {
  const TemporaryDirectory files;
  files.write("-x.png", small_png());
  CommandOptions options;
  options.directory = files.path();
  EXPECT_EQ(run({"--image", "-x.png", "hello"}, options).exit_code, 0);
}

TEST(CliInputs, R_G10_QuotesAndBackslashesInAName) {
  const TemporaryDirectory files;
  const std::string path = files.write("he said \"hi\"\\x.png", small_png());
  const Finished result = run({"--json", "--image", path, "hello"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_lines(result.out).back().at("inputs").at(0).at("sha256"), hex_sha256(small_png()));
}

TEST(CliInputs, R_G9_NameThatIsNotUtf8) {
  const TemporaryDirectory files;
  const std::string path = files.write("a\xFF\xFE.png", small_png());
  const Finished result = run({"--json", "--image", path, "hello"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_lines(result.out).back().at("inputs").at(0).at("sha256"), hex_sha256(small_png()));
}

TEST(CliInputs, R_G5_HostileNameIsShownHarmlessly) {
  const TemporaryDirectory files;
  const std::string path = files.write("photo\u202Egnp\x1b[2J\u200B.png", small_png());
  const Finished plan = attache::test::run_command(command("plan", {"-d", "cli-test", "--image", path}));
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  const Finished missing = run({"--image", path + ".missing", "hello"});
  EXPECT_EQ(missing.exit_code, 3);
  const Finished refused = run({"--video", path, "hello"});
  EXPECT_EQ(refused.exit_code, 3);
  for (const std::string& text : {plan.out, plan.err, missing.err, refused.err}) {
    for (const char* part : {"\x1b", "\u202E", "\u200B"}) {
      EXPECT_FALSE(contains(text, part)) << text;
    }
  }
}

TEST(CliInputs, EmptyPathIsRefused) {
  EXPECT_EQ(run({"--image", "", "hello"}).exit_code, 3);
}

}  // namespace
}  // namespace attache::cli::test
