// SPDX-License-Identifier: Apache-2.0
// scripts/check-arrows sees every rule broken, and lets a tree that keeps them pass.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

Finished check(const std::string& root) {
  return run_command({ATTACHE_SOURCE_DIR "/scripts/check-arrows", root});
}

const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n";

void write_good_tree(const TemporaryDirectory& tree) {
  tree.write("sdk/include/attache/sdk/driver.hpp", licence + "#include <attache/sdk/spi.h>\n");
  tree.write("sdk/src/pump_posix.cpp", licence + "#include <unistd.h>\n#include \"pump_posix.hpp\"\n");
  tree.write("sdk/src/pump_posix.hpp", licence);
  tree.write("core/include/attache/host.hpp", licence);
  tree.write("core/src/loader/place.hpp", licence + "#include <attache/sdk/spi.h>\n");
  tree.write("core/src/run/run.cpp", licence +
                                         "#include <attache/sdk/spi.h>\n#include <attache/sdk/sha256.hpp>\n"
                                         "#include <nlohmann/json.hpp>\n#include \"loader/place.hpp\"\n");
  tree.write("plugins/claude/claude.cpp", licence + "#include <attache/sdk/driver.hpp>\n");
  tree.write("plugins/other/own.hpp", licence);
  tree.write("conformance/src/tap/tap.cpp", licence + "#include <attache/host.hpp>\n#include <attache/sdk/spi.h>\n");
  tree.write("conformance/src/recorder/recorder.cpp", licence + "#include <boost/beast.hpp>\n");
  tree.write("cli/src/main.cpp", licence + "#include <attache/host.hpp>\n");
  tree.write("tests/run/any_test.cpp", licence + "#include <unistd.h>\n#include <nlohmann/json.hpp>\n");
}

TEST(Arrows, GoodTreePasses) {
  const TemporaryDirectory tree;
  write_good_tree(tree);
  const Finished result = check(tree.path());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(Arrows, ThisRepositoryPasses) {
  const Finished result = check(ATTACHE_SOURCE_DIR);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(Arrows, NothingToCheckIsNoSuccess) {
  const TemporaryDirectory tree;
  EXPECT_EQ(check(tree.path()).exit_code, 2);
  tree.write("core/README.md", "no source\n");
  EXPECT_EQ(check(tree.path()).exit_code, 2);
}

struct Breach {
  const char* rule;
  const char* file;
  std::string content;
};
void PrintTo(const Breach& breach, std::ostream* out) {
  *out << breach.rule << " in " << breach.file;
}

class ArrowBroken : public testing::TestWithParam<Breach> {};

TEST_P(ArrowBroken, IsReported) {
  const TemporaryDirectory tree;
  write_good_tree(tree);
  tree.write(GetParam().file, GetParam().content);
  const Finished result = check(tree.path());
  EXPECT_EQ(result.exit_code, 1);
  const std::string line = std::string(GetParam().file) + ":";
  EXPECT_NE(result.out.find(line), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(std::string(": ") + GetParam().rule + ": "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n1 faults"), std::string::npos) << "exactly this one: " << result.out;
}

std::string many_lines() {
  std::string text = licence;
  for (int line = 1; line < 501; ++line) {
    text += "\n";
  }
  return text;
}

const std::vector<Breach> breaches{
    {"sdk-includes-core", "sdk/src/bad.cpp", licence + "#include <attache/host.hpp>\n"},
    {"plugin-includes-core", "plugins/claude/bad.cpp", licence + "#  include <attache/error.hpp>\n"},
    {"plugin-includes-core", "conformance/controls/twice/bad.cpp", licence + "#include <attache/error.hpp>\n"},
    {"plugin-includes-core", "examples/drivers/minimal/bad.cpp", licence + "#include <attache/error.hpp>\n"},
    {"core-includes-sdk", "core/src/run/bad.cpp", licence + "#include <attache/sdk/json_lines.hpp>\n"},
    {"core-includes-sdk", "core/src/run/bad.hpp", licence + "#include <attache/sdk/sha256.hpp>\n"},
    {"host-includes-sdk", "cli/src/bad.cpp", licence + "#include <attache/sdk/spi.h>\n"},
    {"host-includes-sdk", "examples/hosts/minimal/bad.cpp", licence + "#include <attache/sdk/spi.h>\n"},
    {"leaves-area", "cli/src/bad.cpp", licence + "#include \"../../core/src/loader/place.hpp\"\n"},
    {"leaves-area", "plugins/claude/bad.cpp", licence + "#include \"../other/own.hpp\"\n"},
    {"leaves-area", "core/src/run/bad.cpp", licence + "#include \"../../../plugins/other/own.hpp\"\n"},
    {"leaves-area", "cli/src/bad.cpp", licence + "#include \"loader/place.hpp\"\n"},
    {"plugin-includes-core", "plugins/claude/bad.cpp", licence + "#include \"attache/host.hpp\"\n"},
    {"json-in-header", "core/src/run/bad.hpp", licence + "#include <nlohmann/json.hpp>\n"},
    {"json-in-header", "plugins/claude/bad.hpp", licence + "#include <nlohmann/json.hpp>\n"},
    {"boost", "cli/src/bad.cpp", licence + "#include <boost/dll/shared_library.hpp>\n"},
    {"boost", "core/src/run/bad.cpp", licence + "#include <boost/asio.hpp>\n"},
    {"platform-header", "core/src/run/bad.cpp", licence + "#include <unistd.h>\n"},
    {"platform-header", "sdk/src/bad.cpp", licence + "#include <sys/stat.h>\n"},
    {"platform-header", "sdk/src/bad_posix.cpp", licence + "#include <Windows.h>\n"},
    {"platform-header", "sdk/src/bad_windows.cpp", licence + "#include <poll.h>\n"},
    {"platform-conditional", "core/src/run/bad.cpp", licence + "#ifdef _WIN32\n#endif\n"},
    {"platform-conditional", "core/src/run/bad.cpp", licence + "#if defined(__linux__)\n#endif\n"},
    {"too-long", "core/src/run/bad.cpp", many_lines()},
    {"too-long", "tests/run/zzz_last.cpp", many_lines()},
    {"licence", "core/src/run/bad.cpp", "// no licence\n"},
};
INSTANTIATE_TEST_SUITE_P(EachRule, ArrowBroken, testing::ValuesIn(breaches));

}  // namespace
}  // namespace attache::test
