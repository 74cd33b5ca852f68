// SPDX-License-Identifier: Apache-2.0
// What is installed works after the prefix moved, out of tree, with nothing of this repository in sight.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Package : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(install("first place", {}));
    fs::rename(root_.path() + "/first place", prefix());
  }

  std::string prefix() const { return root_.path() + "/moved place"; }

  bool install(const std::string& where, const std::vector<std::string>& options) {
    std::vector<std::string> words{ATTACHE_CMAKE, "--install", ATTACHE_BUILD_DIR, "--prefix",
                                   root_.path() + "/" + where};
    words.insert(words.end(), options.begin(), options.end());
    return succeeds(words);
  }

  // Copies an example, so that nothing beside it can be found by accident, and builds it against `prefix`.
  bool build(const std::string& example, const std::string& name, const std::string& prefix) {
    const std::string source = root_.path() + "/" + name;
    fs::copy(std::string(ATTACHE_SOURCE_DIR "/examples/") + example, source, fs::copy_options::recursive);
    return succeeds({ATTACHE_CMAKE, "-G", "Ninja", "-S", source, "-B", source + "/build",
                     "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CXX_COMPILER=" ATTACHE_CXX,
                     "-DCMAKE_C_COMPILER=" ATTACHE_CC, "-DCMAKE_BUILD_TYPE=Release"}) &&
           succeeds({ATTACHE_CMAKE, "--build", source + "/build"});
  }

  static bool succeeds(const std::vector<std::string>& words) {
    const Finished result = run_command(words);
    EXPECT_EQ(result.exit_code, 0) << words.front() << ": " << result.out << result.err;
    return result.exit_code == 0;
  }

  TemporaryDirectory root_;
};

TEST_F(Package, HostBuildsAgainstTheMovedPrefix) {
  ASSERT_TRUE(build("hosts/minimal", "host", prefix()));
  const std::string host = root_.path() + "/host/build/minimal-host";
  EXPECT_EQ(run_command({host}).exit_code, 2);
  const Finished result = run_command({host, prefix(), "no-such-driver", "{}", "hello", "none.png"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("attache-driver-claude.so"));
  const Finished missing =
      run_command({host, prefix(), "claude", R"({"executable":"/bin/false"})", "hello", "none.png"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("input 0 refused"));
}

TEST_F(Package, MinimalDriverBuildsAndIsConformant) {
  ASSERT_TRUE(build("drivers/minimal", "driver", prefix()));
  const std::string file = root_.path() + "/driver/build/attache-driver-minimal.so";
  const Finished result = run_command({prefix() + "/bin/attache-conformance", "check", file});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(Package, CommandFindsTheDriversBesideIt) {
  const Finished result = run_command({prefix() + "/bin/attache", "drivers"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("claude"));
  EXPECT_EQ(result.err, "");
}

TEST_F(Package, PkgConfigFlagsAreEnough) {
  CommandOptions options;
  options.environment = {"PKG_CONFIG_PATH=" + prefix() + "/" ATTACHE_LIBDIR "/pkgconfig"};
  const Finished flags = run_command({"pkg-config", "--static", "--cflags", "--libs", "attache-core"}, options);
  ASSERT_EQ(flags.exit_code, 0) << flags.err;
  const std::string program = root_.path() + "/by-pkg-config";
  // The shell undoes pkg-config's quoting of the blank in the prefix.
  const std::string line =
      ATTACHE_CXX " -std=c++20 -o " + program + " " ATTACHE_SOURCE_DIR "/examples/hosts/minimal/main.cpp " + flags.out;
  std::string command = line;
  std::replace(command.begin(), command.end(), '\n', ' ');
  ASSERT_TRUE(succeeds({"sh", "-c", command}));
  EXPECT_EQ(run_command({program}).exit_code, 2);
}

TEST_F(Package, NoInstalledFileHoldsAPlaceOfTheBuild) {
  for (const auto& entry : fs::recursive_directory_iterator(prefix())) {
    if (entry.is_regular_file()) {
      const std::string content = read_file(entry.path().string());
      EXPECT_EQ(content.find("first place"), std::string::npos) << entry.path();
      const bool text = content.find('\0') == std::string::npos;
      EXPECT_FALSE(text && content.find(ATTACHE_BUILD_DIR) != std::string::npos) << entry.path();
      EXPECT_FALSE(text && content.find(ATTACHE_SOURCE_DIR "/") != std::string::npos) << entry.path();
    }
  }
}

TEST_F(Package, SdkComponentAloneBuildsADriver) {
  ASSERT_TRUE(install("sdk only", {"--component", "sdk"}));
  EXPECT_FALSE(fs::exists(root_.path() + "/sdk only/include/attache/host.hpp"));
  EXPECT_TRUE(build("drivers/minimal", "driver", root_.path() + "/sdk only"));
}

TEST_F(Package, MissingComponentIsSaid) {
  ASSERT_TRUE(install("sdk only", {"--component", "sdk"}));
  for (const char* component : {"core", "magic"}) {
    const std::string source = root_.path() + "/asks for " + component;
    fs::create_directory(source);
    root_.write(std::string("asks for ") + component + "/CMakeLists.txt",
                std::string("cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES C CXX)\n"
                            "find_package(attache REQUIRED COMPONENTS ") +
                    component + ")\n");
    const Finished result = run_command({ATTACHE_CMAKE, "-G", "Ninja", "-S", source, "-B", source + "/build",
                                         "-DCMAKE_PREFIX_PATH=" + root_.path() + "/sdk only"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr(component));
  }
}

}  // namespace
}  // namespace attache::test
