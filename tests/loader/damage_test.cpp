// SPDX-License-Identifier: Apache-2.0
// Damaged files: the reader must come back from all of them, and take none that ends too early.
#include <fstream>
#include <random>

#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;

class Damage : public LoaderTest {
 protected:
  Damage() {
    // Without section headers the file is smallest and nothing is behind the last segment.
    file_ = copy(driver_file("test-minimal"));
    const Outcome outcome = strip_sections(file_);
    if (outcome.code != 0) throw std::runtime_error(outcome.out);
    bytes_ = read_file(file_);
  }
  /// Other bytes in the same file: without cutting it first, which would make file systems wait for the disk.
  void overwrite(std::string_view bytes) const {
    std::fstream out(file_, std::ios::binary | std::ios::in | std::ios::out);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  fs::path file_;
  std::string bytes_;
};

TEST_F(Damage, TruncatedAtEveryLength) {
  ASSERT_TRUE(read_plugin_file(file_).ok);
  for (std::size_t length = bytes_.size(); length-- > 0;) {
    fs::resize_file(file_, length);
    const FileReport report = read_plugin_file(file_);
    ASSERT_FALSE(report.ok) << "length " << length << " of " << bytes_.size();
    ASSERT_FALSE(report.reason.empty());
  }
  EXPECT_FALSE(ran());
}

TEST_F(Damage, RandomBytesAnywhere) {
  std::mt19937 random(20260101);
  std::uniform_int_distribution<std::size_t> place(0, bytes_.size() - 1);
  std::uniform_int_distribution<int> value(0, 255);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string changed = bytes_;
    // Half of the rounds aim at the headers and tables, where it matters.
    const std::size_t limit = round % 2 == 0 ? bytes_.size() : std::min<std::size_t>(bytes_.size(), 0x800);
    for (int flip = 0; flip < 1 + round % 4; ++flip) changed[place(random) % limit] = static_cast<char>(value(random));
    overwrite(changed);
    const FileReport report = read_plugin_file(file_);
    refused += report.ok ? 0 : 1;
    ASSERT_EQ(report.ok, report.descriptor.has_value()) << "round " << round;
  }
  EXPECT_GT(refused, 100U);
  EXPECT_FALSE(ran());
}

TEST_F(Damage, HugeNumbersInTheHeaders) {
  // Every aligned 64-bit word of the first page, with values at which sums and products overflow.
  for (const std::uint64_t number : {~0ULL, 1ULL << 63U, (1ULL << 32U) - 8, (1ULL << 40U), 0ULL}) {
    for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(bytes_.size(), 4096); at += 8) {
      std::string changed = bytes_;
      changed.replace(at, 8, reinterpret_cast<const char*>(&number), 8);
      overwrite(changed);
      const FileReport report = read_plugin_file(file_);
      ASSERT_EQ(report.ok, report.descriptor.has_value()) << "offset " << at;
    }
  }
  EXPECT_FALSE(ran());
}

}  // namespace
}  // namespace attache::test
