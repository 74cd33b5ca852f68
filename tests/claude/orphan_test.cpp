// SPDX-License-Identifier: Apache-2.0
// A host of the claude driver that is killed, or interrupted twice, in mid-run.
#include <memory>

#include <nlohmann/json.hpp>

#include "../spi/orphan/fixture.hpp"
#include "media.hpp"

namespace attache::testing {
namespace {

class ClaudeOrphan : public OrphanTest {
 protected:
  ClaudeOrphan() { std::filesystem::create_directory(root / "record"); }

  std::unique_ptr<HostProcess> start(const std::string& executable, std::vector<std::string> arguments,
                                     const std::string& scenario) const {
    sdk::SpawnOptions options;
    options.executable = executable;
    options.arguments = std::move(arguments);
    options.environment = {"TMPDIR=" + temporary.string(), "PATH=/usr/bin:/bin", "FAKE_CLAUDE_SCENARIO=" + scenario,
                           "FAKE_CLAUDE_RECORD=" + (root / "record").string()};
    return std::make_unique<HostProcess>(options);
  }
  static std::string config() {
    return nlohmann::json{{"executable", FAKE_CLAUDE},
                          {"home", "/nonexistent"},
                          {"api_key", "key-of-the-test"},
                          {"partial_messages", false},
                          {"pass_environment", {"FAKE_CLAUDE_SCENARIO", "FAKE_CLAUDE_RECORD"}}}
        .dump();
  }
  std::unique_ptr<HostProcess> host(const std::string& scenario) const {
    return start(ORPHAN_HOST, {CLAUDE_DRIVERS, "claude", base.string(), config()}, scenario);
  }
  int recorded(const std::string& name) const { return std::stoi(read_file(root / "record" / name)); }
  static void finish(HostProcess& host) {
    std::string last;
    for (std::string line = host.line(); !line.empty(); line = host.line()) last = line;
    EXPECT_TRUE(host.end().success()) << last;
  }
};

TEST_F(ClaudeOrphan, R_H2_OfAKilledHostIsEndedAndItsFilesGo) {
  const auto dying = host("stubborn");
  ASSERT_EQ(dying->line(), "started");
  const Watched leader(recorded("leader")), child(recorded("grandchild"));
  dying->kill();
  EXPECT_TRUE(leader.lives());
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 1U);
  EXPECT_TRUE(entries(temporary).empty());
  finish(*host("ok"));
  EXPECT_FALSE(leader.lives());
  EXPECT_FALSE(child.lives());
  EXPECT_TRUE(entries(base).empty());
}

TEST_F(ClaudeOrphan, OfACommandThatIsInterruptedTwiceIsEndedByTheNext) {
  const std::vector<std::string> words{"run",      "--driver-dir", CLAUDE_DRIVERS, "-d",    "claude",
                                       "--config", config(),       "--json",       "prompt"};
  const auto dying = start(ATTACHE_CLI, words, "stubborn");
  ASSERT_NE(dying->line().find("started"), std::string::npos);
  const Watched leader(recorded("leader")), child(recorded("grandchild"));
  dying->send(SIGINT);
  dying->send(SIGTERM);
  EXPECT_EQ(dying->end().value, 130);
  finish(*start(ATTACHE_CLI, words, "ok"));
  EXPECT_FALSE(leader.lives());
  EXPECT_FALSE(child.lives());
  const auto left = entries(temporary);
  ASSERT_EQ(left.size(), 1U) << "the base of run directories";
  EXPECT_TRUE(entries(left[0]).empty());
}

}  // namespace
}  // namespace attache::testing
