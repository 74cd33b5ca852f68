// SPDX-License-Identifier: Apache-2.0
// A host of the codex driver that is killed in mid-run.
#include <memory>

#include <nlohmann/json.hpp>

#include "../spi/orphan/fixture.hpp"
#include "media.hpp"

namespace attache::testing {
namespace {

class CodexOrphan : public OrphanTest {
 protected:
  CodexOrphan() { std::filesystem::create_directory(root / "record"); }

  std::unique_ptr<HostProcess> host(const std::string& scenario) const {
    sdk::SpawnOptions options;
    options.executable = ORPHAN_HOST;
    options.arguments = {CODEX_DRIVERS, "codex", base.string(), config()};
    options.environment = {"TMPDIR=" + temporary.string(), "PATH=/usr/bin:/bin", "FAKE_CODEX_SCENARIO=" + scenario,
                           "FAKE_CODEX_RECORD=" + (root / "record").string()};
    return std::make_unique<HostProcess>(options);
  }
  /// Hermetic: the CLI's own directory lies in the run's too.
  static std::string config() {
    return nlohmann::json{{"executable", FAKE_CODEX},
                          {"home", "/nonexistent"},
                          {"api_key", "key-of-the-test"},
                          {"hermetic", true},
                          {"pass_environment", {"FAKE_CODEX_SCENARIO", "FAKE_CODEX_RECORD"}}}
        .dump();
  }
  int recorded(const std::string& name) const { return std::stoi(read_file(root / "record" / name)); }
};

TEST_F(CodexOrphan, R_H2_OfAKilledHostIsEndedAndItsFilesGo) {
  const auto dying = host("stubborn");
  ASSERT_EQ(dying->line(), "started");
  ASSERT_EQ(dying->line(), "so far") << "the first words come after the record";
  const Watched server(recorded("leader")), child(recorded("grandchild"));
  dying->kill();
  EXPECT_TRUE(server.lives());
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 1U);
  EXPECT_TRUE(entries(temporary).empty());
  const auto next = host("ok");
  std::string last;
  for (std::string line = next->line(); !line.empty(); line = next->line()) last = line;
  EXPECT_TRUE(next->end().success()) << last;
  EXPECT_FALSE(server.lives());
  EXPECT_FALSE(child.lives());
  EXPECT_TRUE(entries(base).empty());
}

}  // namespace
}  // namespace attache::testing
