// SPDX-License-Identifier: Apache-2.0
// What is installed works after the prefix moved, out of tree, with nothing of this repository in sight.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
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

  std::string flags(const std::vector<std::string>& options) const {
    CommandOptions with;
    with.environment = {"PKG_CONFIG_PATH=" + prefix() + "/" ATTACHE_LIBDIR "/pkgconfig"};
    std::vector<std::string> words{"pkg-config", "--cflags", "--libs", "attache-core"};
    words.insert(words.begin() + 1, options.begin(), options.end());
    Finished result = run_command(words, with);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::replace(result.out.begin(), result.out.end(), '\n', ' ');
    return result.out;
  }

  // The shell undoes pkg-config's quoting of the blank in the prefix.
  static bool compile(const std::string& source, const std::string& program, const std::string& flags) {
    return succeeds({"sh", "-c", ATTACHE_CXX " -std=c++20 -o " + program + " " + source + " " + flags});
  }

  std::string stand_in() const {
    return R"({"executable":")" ATTACHE_SOURCE_DIR R"(/examples/hosts/minimal/claude-stand-in"})";
  }

  // The example's program, built somehow.
  void expect_a_host(const std::string& program, const std::vector<std::string>& environment) const {
    CommandOptions options;
    options.environment = environment;
    EXPECT_EQ(run_command({program}, options).exit_code, 2);
    const std::string png =
        root_.write("one.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0", 29) +
                                   std::string("\x90\x77\x53\xde", 4));
    const Finished sent = run_command({program, "claude", stand_in(), "What does it show?", png}, options);
    EXPECT_EQ(sent.exit_code, 0) << sent.err;
    EXPECT_EQ(sent.out, "The stand-in has read the turn.\nsent image image/png, 33 bytes\n");
    const Finished missing = run_command({program, "claude", stand_in(), "hello", "none.png"}, options);
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, testing::StartsWith("refused: "));
    const Finished unknown = run_command({program, "no-such-driver", "{}", "hello", png}, options);
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("attache-driver-claude.so"));
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
  EXPECT_THAT(run_command({"readelf", "-d", host}).out, HasSubstr("[libattache_core.so." ATTACHE_SOVERSION "]"));
  expect_a_host(host, {});
  const std::string code = read_file(ATTACHE_SOURCE_DIR "/examples/hosts/minimal/main.cpp");
  EXPECT_LT(std::count(code.begin(), code.end(), '\n'), 60) << "a host is to be a small host";
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
  const std::string program = root_.path() + "/by-pkg-config";
  const std::string library = prefix() + "/" ATTACHE_LIBDIR;
  ASSERT_TRUE(compile(ATTACHE_SOURCE_DIR "/examples/hosts/minimal/main.cpp", program, flags({})));
  expect_a_host(program, {"LD_LIBRARY_PATH=" + library});

  // The archive instead of the shared library beside it, and what that needs.
  std::string all = flags({"--static"});
  const std::string_view name = "-lattache_core ";
  ASSERT_NE(all.find(name), std::string::npos) << all;
  all.replace(all.find(name), name.size(), "-l:libattache_core.a ");
  ASSERT_TRUE(compile(ATTACHE_SOURCE_DIR "/examples/hosts/minimal/main.cpp", program, all));
  EXPECT_THAT(run_command({"readelf", "-d", program}).out, testing::Not(HasSubstr("libattache_core.so")));
  EXPECT_EQ(run_command({program}).exit_code, 2);
}

TEST_F(Package, CoreStaticIsATargetOfItsOwn) {
  root_.write("static/CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.25)\nproject(static LANGUAGES CXX)\n"
              "find_package(attache 0.2 REQUIRED COMPONENTS core_static)\n"
              "add_executable(host main.cpp)\ntarget_link_libraries(host PRIVATE attache::core_static)\n");
  const std::string source = root_.path() + "/static";
  root_.write("static/main.cpp", read_file(ATTACHE_SOURCE_DIR "/examples/hosts/minimal/main.cpp"));
  ASSERT_TRUE(succeeds({ATTACHE_CMAKE, "-G", "Ninja", "-S", source, "-B", source + "/build",
                        "-DCMAKE_PREFIX_PATH=" + prefix(), "-DCMAKE_CXX_COMPILER=" ATTACHE_CXX}));
  ASSERT_TRUE(succeeds({ATTACHE_CMAKE, "--build", source + "/build"}));
  EXPECT_EQ(run_command({source + "/build/host"}).exit_code, 2);
  EXPECT_THAT(run_command({"readelf", "-d", source + "/build/host"}).out,
              testing::Not(HasSubstr("libattache_core.so")));
}

TEST_F(Package, InputsAreNoOptionOfAnAgent) {
  const std::string source = ATTACHE_SOURCE_DIR "/tests/packaging/programs/inputs_place.cpp";
  const std::vector<std::string> words{ATTACHE_CXX, "-std=c++20", "-fsyntax-only", "-I", prefix() + "/include", source};
  ASSERT_TRUE(succeeds(words));
  std::vector<std::string> refused = words;
  refused.push_back("-DAS_AGENT_OPTION");
  const Finished result = run_command(refused);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("no matching function for call to"));
  EXPECT_THAT(result.err, HasSubstr("attache::RunOption"));
}

TEST_F(Package, ATextOnlyHostOfVersion01IsServedAsBefore) {
  const std::string program = root_.path() + "/text-only";
  ASSERT_TRUE(compile(ATTACHE_SOURCE_DIR "/tests/packaging/programs/text_only.cpp", program, flags({})));
  CommandOptions options;
  options.environment = {"LD_LIBRARY_PATH=" + prefix() + "/" ATTACHE_LIBDIR};
  const Finished result = run_command({program, prefix(), "claude", stand_in()}, options);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.out, "The stand-in has read the turn.|The stand-in has read the turn.\n");
  EXPECT_EQ(run_command({program, prefix(), "magic", "{}"}, options).exit_code, 5);  // LoadError, across the library
  const Finished wrong = run_command({program, prefix(), "claude", R"({"unheard": 1})"}, options);
  EXPECT_EQ(wrong.exit_code, 7) << wrong.out;
  const Finished failed = run_command({program, prefix(), "claude", R"({"executable":"/bin/false"})"}, options);
  EXPECT_EQ(failed.exit_code, 6) << failed.out;
}

/// The demangled symbols that a library shows and should not.
std::vector<std::string> strangers(const std::string& symbols) {
  static const std::regex ours(
      "(?:typeinfo for |typeinfo name for |vtable for )?attache::(?:input::)?[A-Za-z_]+(?:$|[(<\\[]|::)"
      ".*");
  static const std::regex inner("attache::(?!input::)[a-z_0-9]+::|::State\\b|::Base\\b");
  std::vector<std::string> found;
  std::istringstream lines(symbols);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(std::min(line.size(), std::size_t{19}));
    const std::string head = name.substr(0, name.find('('));
    if (!std::regex_match(name, ours) || std::regex_search(head, inner)) found.push_back(name);
  }
  return found;
}

TEST_F(Package, TheSharedLibraryShowsThePublicApiOnly) {
  const std::string library = prefix() + "/" ATTACHE_LIBDIR "/libattache_core.so";
  const Finished symbols = run_command({"nm", "-DC", "--defined-only", library});
  ASSERT_EQ(symbols.exit_code, 0) << symbols.err;
  EXPECT_THAT(symbols.out, HasSubstr("T attache::Agent::run_with("));
  EXPECT_THAT(symbols.out, HasSubstr("V typeinfo for attache::InputError"));
  EXPECT_THAT(strangers(symbols.out), testing::IsEmpty());
  const std::string place = "0000000000000000 T ";
  EXPECT_THAT(strangers(place + "attache::run::Run::drive()\n" + place + "attache::Agent::State::State()\n" + place +
                        "sqlite3_open\n" + place + "std::vector<attache::Event>::push_back()\n"),
              testing::SizeIs(4));
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
