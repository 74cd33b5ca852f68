// SPDX-License-Identifier: Apache-2.0
// Whole runs against a path that another thread replaces all the time: what the driver reads, by its SHA-256.
#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include <attache/sdk/sha256.hpp>

#include "run_fixture.hpp"

namespace attache {
namespace {

using input::Kind;
using test::Calls;
using test::RunTest;

namespace fs = std::filesystem;

class FlippingRunTest : public RunTest {
 protected:
  /// What became of the runs.
  struct Seen {
    std::map<std::string, int> delivered;  ///< by the digest of what the driver read
    std::map<std::string, int> refused;    ///< by reason
  };

  FlippingRunTest() {
    driver.run = [this](const attache_request& request, const Calls& calls) {
      const attache_input& given = *request.inputs[0];
      const sdk::Digest digest = sdk::sha256(test::read_file(std::string(test::view(given.local_path))));
      EXPECT_TRUE(std::equal(digest.begin(), digest.end(), given.sha256)) << "told otherwise";
      last = sdk::to_hex(digest);
      return calls.answer("");
    };
  }

  /// `count` runs of `given`, while its path becomes a file and a link to the canary in turn.
  Seen runs(int count, const input::Input& given) {
    const fs::path next = scratch.path() / "next";
    fs::create_hard_link(file, path);
    std::atomic<bool> stop{false};
    std::thread flipper([&] {
      for (bool link = true; !stop; link = !link) {
        link ? fs::create_symlink(target, next) : fs::create_hard_link(file, next);
        fs::rename(next, path);
      }
    });
    Agent to = agent();
    Seen seen;
    for (int i = 0; i < count; ++i) {
      try {
        last.clear();
        to.run("read", with_inputs(given));
        ++seen.delivered[last];
      } catch (const InputError& error) {
        EXPECT_EQ(last, "") << "refused, and delivered all the same";
        ++seen.refused[error.reason()];
      }
    }
    stop = true;
    flipper.join();
    EXPECT_EQ(scratch.run_directories(), 0U);
    return seen;
  }

  std::string last;  ///< the digest of what the driver was given in the last run
  const std::string text = test::long_text(3000), canary_text = "canary " + test::long_text(3000);
  const std::string honest = sdk::to_hex(sdk::sha256(text)), canary = sdk::to_hex(sdk::sha256(canary_text));
  const fs::path file = scratch.write("file.txt", text), target = scratch.write("canary.txt", canary_text);
  const fs::path path = scratch.path() / "path.txt";
  const input::Input input = input::from_path(Kind::file, path);
};

TEST_F(FlippingRunTest, R_I5_NoRunDeliversTheCanary) {
  const Seen seen = runs(1000, input);
  EXPECT_EQ(seen.delivered.count(canary), 0U);
  EXPECT_EQ(seen.delivered.count(honest), 1U);
  EXPECT_EQ(seen.delivered.size(), 1U);
  EXPECT_EQ(seen.refused.count("link_refused"), 1U);
  EXPECT_EQ(seen.refused.size(), 1U);
}

TEST_F(FlippingRunTest, R_I5_WithLinksFollowedRunsDeliverIt) {
  const Seen seen = runs(500, input.follow_links());
  EXPECT_EQ(seen.delivered.count(canary), 1U);
  EXPECT_EQ(seen.delivered.count(honest), 1U);
  EXPECT_TRUE(seen.refused.empty());
}

}  // namespace
}  // namespace attache
