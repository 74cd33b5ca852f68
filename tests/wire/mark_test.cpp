// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <attache/sdk/base64.hpp>

#include "canary/canary.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

class FindMark : public testing::Test {
 protected:
  std::vector<std::string> forms(const std::string& bytes) {
    write_file(folder_ / "f", bytes);
    std::vector<std::string> list;
    for (const MarkHit& hit : find_mark(folder_ / "f", mark_)) {
      list.push_back(hit.form);
    }
    return list;
  }
  std::string url_safe(std::string text) {
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
  }
  std::string hex(const char* digits) {
    std::string out;
    for (const char c : mark_) {
      out += digits[static_cast<unsigned char>(c) >> 4u];
      out += digits[static_cast<unsigned char>(c) & 15u];
    }
    return out;
  }
  TempFolder folder_;
  std::string mark_ =
      std::string("\xfb\xff\xbf\x3e\x3f\xfe", 6) + Random(5).bytes(20) + std::string("\xff\xef\xbe\xfb\xff\xbf", 6);
};

TEST_F(FindMark, RawAtEveryPlaceAroundTheEndsOfReads) {
  for (std::size_t before : {std::size_t{0}, std::size_t{1}, std::size_t{65505}, std::size_t{65520}, std::size_t{65535},
                             std::size_t{65536}, std::size_t{200000}}) {
    write_file(folder_ / "f", std::string(before, 'x') + mark_ + std::string(70000, 'y'));
    const auto hits = find_mark(folder_ / "f", mark_);
    ASSERT_EQ(hits.size(), 1u) << before;
    EXPECT_EQ(hits[0].form, "raw");
    EXPECT_EQ(hits[0].offset, before);
  }
}

TEST_F(FindMark, Base64AtEachAlignmentWhateverStandsAround) {
  for (std::size_t before = 0; before < 12; ++before) {
    for (std::size_t after = 0; after < 3; ++after) {
      const std::string text =
          sdk::base64_encode(Random(before).bytes(before) + mark_ + Random(after + 50).bytes(after));
      EXPECT_EQ(forms("{\"data\":\"" + text + "\"}"), std::vector<std::string>{"base64/" + std::to_string(before % 3)});
      EXPECT_EQ(forms(url_safe(text)), std::vector<std::string>{"base64url/" + std::to_string(before % 3)});
    }
  }
}

TEST_F(FindMark, HexInBothCases) {
  EXPECT_EQ(forms(hex("0123456789abcdef")), std::vector<std::string>{"hex"});
  EXPECT_EQ(forms(hex("0123456789ABCDEF")), std::vector<std::string>{"HEX"});
}

TEST_F(FindMark, EveryHitCounts) {
  EXPECT_EQ(forms(mark_ + mark_ + sdk::base64_encode(mark_)), (std::vector<std::string>{"raw", "raw", "base64/0"}));
}

TEST_F(FindMark, APartOfItOrAnotherMarkIsNone) {
  EXPECT_TRUE(forms(mark_.substr(1) + "x" + mark_.substr(0, mark_.size() - 1)).empty());
  EXPECT_TRUE(forms(Random(99).bytes(200000)).empty());
  EXPECT_THROW(find_mark(folder_ / "missing", mark_), std::system_error);
}

}  // namespace
}  // namespace attache::conformance
