// SPDX-License-Identifier: Apache-2.0
// A driver is still read, and still loads, after the tools that change files; and the build tool refuses bad ones.
#include <gmock/gmock.h>

#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Tools : public LoaderTest {
 protected:
  /// A copy of the good driver after a tool worked on it.
  fs::path after(const std::string& program, std::vector<std::string> arguments) {
    fs::path file = copy(driver_file("test-minimal"));
    arguments.push_back(file.string());
    const Outcome outcome = run_program(program, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_NE(read_file(file), read_file(driver_file("test-minimal"))) << "the tool changed nothing";
    return file;
  }
  void expect_readable(const fs::path& file) {
    const FileReport report = read_plugin_file(file);
    ASSERT_TRUE(report.ok) << report.text;
    EXPECT_EQ(report.exported_symbols.size(), 2U);
    EXPECT_FALSE(ran());
  }
};

TEST_F(Tools, StrippedDriver) {
  expect_readable(after("strip", {}));
}
TEST_F(Tools, DriverWithoutSectionHeaders) {
  const fs::path file = copy(driver_file("test-minimal"));
  ASSERT_EQ(strip_sections(file).code, 0);
  ASSERT_NE(read_file(file), read_file(driver_file("test-minimal"))) << "the tool changed nothing";
  expect_readable(file);
}
TEST_F(Tools, DriverAfterPatchelf) {
  expect_readable(after("patchelf", {"--set-rpath", "/opt/" + std::string(3000, 'x')}));
}
TEST_F(Tools, DriverWithLinkTimeOptimisation) {
  expect_readable(driver_file("test-lto"));
}

TEST_F(Tools, StrippedDriverLoads) {
  const fs::path file = copy(driver_file("test-minimal"));
  EXPECT_EQ(strip_sections(file).code, 0);
  EXPECT_EQ(Host(options()).driver_from_file(file).descriptor().id, "test-minimal");
  EXPECT_TRUE(ran());
}

TEST_F(Tools, RelativeRunPathIsRefused) {
  for (const char* path : {"lib", "/usr/lib:lib", "/usr/lib::/opt", "/usr/lib:", "."}) {
    const LoadAttempt attempt = refusal(after("patchelf", {"--set-rpath", path}), options());
    EXPECT_EQ(attempt.stage, LoadAttempt::Stage::trust) << path;
    EXPECT_EQ(attempt.reason, "relative_run_path") << path;
  }
  EXPECT_FALSE(ran());
  expect_readable(after("patchelf", {"--set-rpath", "/usr/lib:$ORIGIN/lib"}));
}

TEST_F(Tools, DriversExportExactlyTwoSymbols) {
  for (const std::string_view id : {"test-minimal", "test-lto"}) {
    const Outcome outcome = run_program("nm", {"-D", "--defined-only", "--format=just-symbols", driver_file(id)});
    EXPECT_EQ(outcome.out, "attache_descriptor_v1\nattache_driver_entry_v1\n");
  }
}

TEST_F(Tools, HostsExportNoSymbolOfOurs) {
  const Outcome own = run_program("nm", {"-D", "--defined-only", fs::read_symlink("/proc/self/exe").string()});
  EXPECT_EQ(own.code, 0);
  EXPECT_EQ(own.out.find("attache"), std::string::npos);
}

TEST_F(Tools, VerifyTakesTheGoodAndRefusesTheBad) {
  const auto verify = [](const fs::path& file, const fs::path& descriptor) {
    return run_program(ATTACHE_EMBED_TOOL, {"verify", file.string(), "--descriptor", descriptor.string()});
  };
  const fs::path descriptor = descriptor_file("test-minimal");
  EXPECT_EQ(verify(driver_file("test-minimal"), descriptor).code, 0);
  const Outcome extra = verify(other_library("extra_export"), descriptor);
  EXPECT_EQ(extra.code, 1);
  EXPECT_THAT(extra.out, HasSubstr("exports a symbol of its own: attache_test_plain"));
  const Outcome path = verify(other_library("run_path"), descriptor);
  EXPECT_EQ(path.code, 1);
  EXPECT_THAT(path.out, HasSubstr("relative run path"));
  const Outcome other = verify(driver_file("test-minimal"), descriptor_file("test-lto"));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("holds another descriptor"));
  const Outcome none = verify(other_library("no_descriptor"), descriptor);
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.out, HasSubstr("no driver descriptor"));
}

TEST_F(Tools, R_E3_EmbedRefusesADescriptorThatContradictsItself) {
  std::string text = read_file(descriptor_file("test-minimal"));
  const auto cancel = text.find("\"cancel\": true");
  ASSERT_NE(cancel, std::string::npos);
  text.insert(cancel, "\"url_schemes\": [\"https\"], ");
  write_file(directory() / "descriptor.json", text);
  const Outcome outcome = run_program(
      ATTACHE_EMBED_TOOL, {"embed", (directory() / "descriptor.json").string(), (directory() / "out.c").string()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("/features/url_schemes"));
  EXPECT_FALSE(fs::exists(directory() / "out.c"));
}

}  // namespace
}  // namespace attache::test
