// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli_fixture.hpp"

namespace attache::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Finished drivers(std::vector<std::string> arguments) {
  return attache::test::run_command(command("drivers", std::move(arguments)));
}

TEST(CliDrivers, TableOfKindsAndModes) {
  const Finished result = drivers({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("ID "));
  EXPECT_THAT(result.out, testing::ContainsRegex("cli-test +0\\.1\\.0 +process +native +native +native +-"));
  EXPECT_THAT(result.out, Not(HasSubstr("image/png")));
  EXPECT_THAT(drivers({"--verbose"}).out, HasSubstr("image native: image/png"));
}

TEST(CliDrivers, JsonHoldsTheDescriptor) {
  const Finished result = drivers({"--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json document = json_lines(result.out).at(0);
  const nlohmann::json& driver = document.at("drivers").at(0);
  EXPECT_EQ(driver.at("id"), "cli-test");
  EXPECT_EQ(driver.at("descriptor").at("publisher"), "Attache");
  EXPECT_EQ(driver.at("sha256"), hex_sha256(attache::test::read_file(driver.at("path"))));
  EXPECT_FALSE(document.at("places").empty());
}

TEST(CliDrivers, FileThatIsNoDriverIsNamedOnStandardError) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("attache-driver-fake.so", "this is text");
  const Finished result = attache::test::run_command({ATTACHE_CLI, "drivers", "--driver-dir", directory.path()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr(file));
  const Finished why = attache::test::run_command({ATTACHE_CLI, "drivers", "--why", "--driver-dir", directory.path()});
  EXPECT_EQ(why.exit_code, 0);
  EXPECT_THAT(why.out, HasSubstr(file));
}

TEST(CliDrivers, ShadowedDriverIsNamed) {
  const TemporaryDirectory directory;
  std::filesystem::copy_file(ATTACHE_TEST_DRIVERS "/attache-driver-cli-test.so",
                             directory.path() + "/attache-driver-cli-test.so");
  const Finished result = drivers({"--driver-dir", directory.path()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr(directory.path()));
}

TEST(CliDrivers, NamedDirectoryThatIsNotThere) {
  const Finished result = drivers({"--driver-dir", "/no/such/directory"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("/no/such/directory"));
}

}  // namespace
}  // namespace attache::cli::test
