// SPDX-License-Identifier: Apache-2.0
// A host is killed in mid-run, and its provider ignores everything: what the next host does about it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "orphan/fixture.hpp"

namespace attache::testing {
namespace {

class KilledHost : public OrphanTest, public ::testing::WithParamInterface<bool> {
 protected:
  std::unique_ptr<HostProcess> host(bool quick = false) const {
    sdk::SpawnOptions options;
    options.executable = ORPHAN_HOST;
    options.arguments = {ORPHAN_DRIVERS, "orphan-test", base.string(),
                         std::string("{\"executable\":\"") + ORPHAN_PROVIDER + (quick ? "\",\"quick\":true}" : "\"}")};
    if (GetParam()) options.arguments.push_back("the text of an input");
    options.environment = {"TMPDIR=" + temporary.string()};
    return std::make_unique<HostProcess>(options);
  }
  struct Providers {
    std::unique_ptr<Watched> leader, child;
    bool live() const { return leader->lives() && child->lives(); }
  };
  static Providers providers_of(HostProcess& host) {
    EXPECT_EQ(host.line(), "started");
    const std::string line = host.line();
    int leader = 0, child = 0;
    EXPECT_EQ(std::sscanf(line.c_str(), "providers %d %d", &leader, &child), 2) << line;
    return {std::make_unique<Watched>(leader), std::make_unique<Watched>(child)};
  }
  /// What is no run directory, in the base and beside it, some of it under the name of one.
  void put_strangers() const {
    const std::string digits(32, 'a');
    std::filesystem::create_directory(outside());
    write(outside() / "kept", "not of a run");
    std::filesystem::create_directory(base / "notes");
    write(base / "notes" / "kept", "not of a run");
    write(base / ("run-" + digits), "a file with the name of a run directory");
    std::filesystem::create_directory_symlink(outside(), base / ("driver-" + digits));
    std::filesystem::create_directory(base / ("run-" + digits.substr(1)));
  }
  std::filesystem::path outside() const { return root / "outside"; }
  static void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }
  /// Every file below the root, with what is in it; links as what they lead to, and not followed.
  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> found;
    for (const auto& one : std::filesystem::recursive_directory_iterator(root)) {
      std::string& text = found[one.path().string()];
      if (one.is_symlink()) {
        text = "link to " + std::filesystem::read_symlink(one.path()).string();
      } else if (one.is_regular_file()) {
        std::ifstream file(one.path(), std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
      }
    }
    return found;
  }
  void next_host() const {
    const auto next = host(true);
    std::string last;
    for (std::string line = next->line(); !line.empty(); line = next->line()) last = line;
    EXPECT_EQ(last, "done");
    EXPECT_TRUE(next->end().success());
  }
};

TEST_P(KilledHost, R_H2_TheNextOneEndsItsProviderAndRemovesItsFilesAndNothingElse) {
  put_strangers();
  const auto strangers = all_files();
  const std::size_t no_runs = entries(base).size();
  const auto neighbour = host();
  const Providers kept = providers_of(*neighbour);
  const auto before = all_files();
  const std::vector<std::filesystem::path> of_neighbour = entries(base);
  const std::size_t of_one_run = GetParam() ? 2 : 1;  // of its inputs, and of the driver's files
  ASSERT_EQ(of_neighbour.size(), no_runs + of_one_run);
  const auto dying = host();
  const Providers orphans = providers_of(*dying);
  ASSERT_EQ(entries(base).size(), no_runs + 2 * of_one_run);
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 2U);

  dying->kill();
  EXPECT_TRUE(orphans.live()) << "it ignores that its host is gone";
  ASSERT_EQ(entries(base).size(), no_runs + 2 * of_one_run);
  for (const std::filesystem::path& one : entries(base)) {
    // A provider may leave ways out of its directory.
    const bool of_the_dead = std::find(of_neighbour.begin(), of_neighbour.end(), one) == of_neighbour.end();
    if (of_the_dead) std::filesystem::create_directory_symlink(outside(), one / "way-out");
  }

  next_host();
  EXPECT_TRUE(orphans.leader->ended_within(0));
  EXPECT_TRUE(orphans.child->ended_within(0));
  EXPECT_EQ(entries(base), of_neighbour);
  EXPECT_EQ(all_files(), before) << "of the living host and of strangers, all is there as it was";
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 1U);
  EXPECT_TRUE(kept.live());

  neighbour->kill();
  next_host();
  EXPECT_FALSE(kept.leader->lives());
  EXPECT_FALSE(kept.child->lives());
  EXPECT_EQ(all_files(), strangers);
  EXPECT_TRUE(entries(temporary).empty()) << "nothing lies outside the base";
}
INSTANTIATE_TEST_SUITE_P(WithAndWithoutInputs, KilledHost, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "WithAnInput" : "TextOnly"; });

}  // namespace
}  // namespace attache::testing
