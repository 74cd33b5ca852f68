// SPDX-License-Identifier: Apache-2.0
// A path that another thread replaces all the time. What is delivered is told by its SHA-256.
#include <atomic>
#include <map>
#include <thread>

#include <attache/sdk/sha256.hpp>

#include "support/bench.hpp"

namespace attache::testing {
namespace {

using input::Kind;
namespace fs = std::filesystem;

class FlippingLinkTest : public InputsTest {
 protected:
  /// What became of the inputs.
  struct Seen {
    std::map<std::string, int> delivered;  ///< by the digest of what the driver would read
    std::map<std::string, int> refused;    ///< by reason
  };

  FlippingLinkTest() { fs::create_directory(flips); }

  /// Takes `given` this often, while its path becomes one file, a link to the canary, another file, the link again, …
  Seen take(int count, const input::Input& given) {
    const fs::path next = flips / "next";
    fs::create_hard_link(one, path);
    std::atomic<bool> stop{false};
    std::thread flipper([&] {
      for (unsigned turn = 0; !stop; ++turn) {
        turn % 2 == 0 ? fs::create_symlink(target, next) : fs::create_hard_link(turn % 4 == 1 ? two : one, next);
        fs::rename(next, path);
      }
    });
    Seen seen;
    for (int i = 0; i < count; ++i) {
      try {
        const inputs::RunInputs run = accept({given});
        const input::Digest digest = digest_of(read_file(run.local_path(0)));
        EXPECT_EQ(run.resolved()[0].sha256, digest) << "told otherwise";
        ++seen.delivered[sdk::to_hex(digest)];
      } catch (const InputError& error) {
        ++seen.refused[error.reason()];
      }
    }
    stop = true;
    flipper.join();
    EXPECT_EQ(entries(base), 0u);
    return seen;
  }

  const std::string texts[3] = {"one " + std::string(3000, '1'), "two " + std::string(3000, '2'),
                                "canary " + std::string(3000, 'c')};
  const fs::path one = file("one.txt", texts[0]), two = file("two.txt", texts[1]), target = file("canary", texts[2]);
  const std::string first = sdk::to_hex(digest_of(texts[0])), second = sdk::to_hex(digest_of(texts[1])),
                    canary = sdk::to_hex(digest_of(texts[2]));
  const fs::path flips = scratch / "flips", path = flips / "path.txt";
  const input::Input input = input::from_path(Kind::file, path).media_type("text/plain");
};

TEST_F(FlippingLinkTest, R_I5_TenThousandTimesTheCanaryIsNeverDelivered) {
  const Seen seen = take(10000, input);
  EXPECT_EQ(seen.delivered.count(canary), 0u);
  EXPECT_EQ(seen.delivered.count(first), 1u);
  EXPECT_EQ(seen.delivered.count(second), 1u);
  EXPECT_EQ(seen.delivered.size(), 2u) << "a mixture of files";
  EXPECT_EQ(seen.refused.count("link_refused"), 1u);
  EXPECT_EQ(seen.refused.size(), 1u);
}

TEST_F(FlippingLinkTest, R_I5_WithLinksFollowedTheCanaryArrives) {
  // Without the refusal of links the test above would fail.
  const Seen seen = take(500, input.follow_links());
  EXPECT_EQ(seen.delivered.count(canary), 1u);
  EXPECT_EQ(seen.delivered.size(), 3u);
  EXPECT_TRUE(seen.refused.empty());
}

TEST_F(FlippingLinkTest, R_I5_ADeclaredDigestKeepsTheCanaryOut) {
  const Seen seen = take(500, input.follow_links().sha256(digest_of(texts[0])));
  EXPECT_EQ(seen.delivered.count(first), 1u);
  EXPECT_EQ(seen.delivered.size(), 1u);
  EXPECT_EQ(seen.refused.count("digest_mismatch"), 1u);
}

}  // namespace
}  // namespace attache::testing
