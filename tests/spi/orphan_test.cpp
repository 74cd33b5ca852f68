// SPDX-License-Identifier: Apache-2.0
// A host is killed in mid-run, and its provider ignores everything: what the next host does about it.
#include <cstdio>
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
  void next_host() const {
    const auto next = host(true);
    std::string last;
    for (std::string line = next->line(); !line.empty(); line = next->line()) last = line;
    EXPECT_EQ(last, "done");
    EXPECT_TRUE(next->end().success());
  }
};

TEST_P(KilledHost, R_H2_TheNextOneEndsItsProviderAndRemovesItsFilesAndNothingElse) {
  const auto neighbour = host();
  const Providers kept = providers_of(*neighbour);
  const std::vector<std::filesystem::path> of_neighbour = entries(base);
  const std::size_t of_one_run = GetParam() ? 2 : 1;  // of its inputs, and of the driver's files
  ASSERT_EQ(of_neighbour.size(), of_one_run);
  const auto dying = host();
  const Providers orphans = providers_of(*dying);
  ASSERT_EQ(entries(base).size(), 2 * of_one_run);
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 2U);

  dying->kill();
  EXPECT_TRUE(orphans.live()) << "it ignores that its host is gone";
  ASSERT_EQ(entries(base).size(), 2 * of_one_run);

  next_host();
  EXPECT_TRUE(orphans.leader->ended_within(0));
  EXPECT_TRUE(orphans.child->ended_within(0));
  EXPECT_EQ(entries(base), of_neighbour);
  EXPECT_EQ(count_below(base, "left-by-the-provider"), 1U);
  EXPECT_TRUE(kept.live());

  neighbour->kill();
  next_host();
  EXPECT_FALSE(kept.leader->lives());
  EXPECT_FALSE(kept.child->lives());
  EXPECT_TRUE(entries(base).empty());
  EXPECT_TRUE(entries(temporary).empty()) << "nothing lies outside the base";
}
INSTANTIATE_TEST_SUITE_P(WithAndWithoutInputs, KilledHost, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "WithAnInput" : "TextOnly"; });

}  // namespace
}  // namespace attache::testing
