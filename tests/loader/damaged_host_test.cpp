// SPDX-License-Identifier: Apache-2.0
// Damaged drivers through all that a host does with a file: static checks, the probe, and the load itself.
#include <array>
#include <ostream>
#include <random>

#include <sys/wait.h>
#include <unistd.h>

#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;

constexpr int rounds = 500;
constexpr int done = 100;  ///< exit code of a host that took the file; below it: the stage that refused

struct Series {
  const char* name;
  const char* file;
  bool cut;  ///< the end is missing; else some bytes are others
};

void PrintTo(const Series& series, std::ostream* out) {
  *out << series.name;
}

/// 2,000 files in all.
class DamagedDriver : public LoaderTest, public testing::WithParamInterface<Series> {
 protected:
  DamagedDriver()
      : whole_(read_file(std::string_view(GetParam().file) == "claude" ? fs::path(ATTACHE_CLAUDE_DRIVER)
                                                                       : driver_file(GetParam().file))) {}
  std::string damaged(int round) {
    std::string bytes = whole_;
    if (GetParam().cut) {
      // Most of the cuts go through the end, where the section headers are and a loader would not miss anything.
      const std::size_t most = round % 4 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 8192);
      bytes.resize(bytes.size() - 1 - random_() % most);
      return bytes;
    }
    const std::size_t limit = round % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 4096);
    for (int flip = 0; flip < 1 + round % 4; ++flip) bytes[random_() % limit] ^= static_cast<char>(1U << random_() % 8);
    return bytes;
  }
  /// What becomes of a host of its own that loads the file.
  int host_with(const fs::path& file) const {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      int code = done;
      try {
        (void)Host(options()).driver_from_file(file).descriptor();
      } catch (const LoadError& error) {
        code = static_cast<int>(error.report().attempts.at(0).stage);
      } catch (...) {
        code = done + 1;
      }
      ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::mt19937 random_{20261201};

 private:
  const std::string whole_;
};

TEST_P(DamagedDriver, EndsNoHost) {
  std::array<int, done + 1> outcomes{};
  for (int round = 0; round < rounds; ++round) {
    const fs::path file = directory() / "damaged.so";  // a new file each time: a mapped one must not change
    fs::remove(file);
    write_file(file, damaged(round));
    const int outcome = host_with(file);
    ASSERT_GE(outcome, 0) << "round " << round << ": the host died of signal " << -outcome;
    ASSERT_LE(outcome, done) << "round " << round << ": no LoadError";
    ++outcomes.at(static_cast<std::size_t>(outcome));
  }
  const auto count = [&](Stage stage) { return outcomes.at(static_cast<std::size_t>(stage)); };
  const int before_code = count(Stage::file) + count(Stage::elf) + count(Stage::descriptor) + count(Stage::version);
  const int in_the_child =
      count(Stage::probe) + count(Stage::load) + count(Stage::entry) + count(Stage::describe) + outcomes.at(done);
  RecordProperty("refused_before_any_code", before_code);
  RecordProperty("ended_the_probe", count(Stage::probe));
  EXPECT_GT(before_code, rounds / 10);
  EXPECT_EQ(before_code + in_the_child, rounds);
  if (!GetParam().cut) {
    EXPECT_GT(in_the_child, rounds / 10);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeded, DamagedDriver,
                         testing::Values(Series{"CutC", "test-minimal", true},
                                         Series{"FlippedC", "test-minimal", false}, Series{"CutClaude", "claude", true},
                                         Series{"FlippedClaude", "claude", false}),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace attache::test
