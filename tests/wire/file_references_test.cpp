// SPDX-License-Identifier: Apache-2.0
#include "tap/file_references.hpp"

#include <sys/stat.h>

#include <attache/sdk/sha256.hpp>

#include "wire_support.hpp"

namespace attache::conformance {
namespace {

class References : public testing::Test {
 protected:
  std::vector<ReferencedFile> scan(const std::string& text) {
    std::vector<ReferencedFile> list;
    FileReferences references([&](const ReferencedFile& file) { list.push_back(file); });
    references.scan(text, "text");
    return list;
  }
  void SetUp() override { write_file(folder_ / "a.png", "picture"); }
  TempFolder folder_;
  std::string file_ = (folder_ / "a.png").string();
};

TEST_F(References, PathsAreFoundInEachWayOfWritingThem) {
  for (const std::string& text :
       {file_, "see " + file_ + ".", "(" + file_ + ")", "\"" + file_ + "\"", "'" + file_ + "',", "@" + file_,
        "--file=" + file_, "file://" + file_, "<" + file_ + ">", "\n" + file_ + "\n", "`" + file_ + "`?!"}) {
    const auto found = scan(text);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_TRUE(found[0].readable);
    EXPECT_EQ(found[0].size, 7u);
    EXPECT_EQ(found[0].sha256, sdk::sha256("picture"));
  }
}

TEST_F(References, PercentSignsOfAFileUrlAreDecoded) {
  write_file(folder_ / "b c.png", "two");
  const auto found = scan("file://" + folder_.path().string() + "/b%20c.png");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].sha256, sdk::sha256("two"));
}

TEST_F(References, APathThatIsGoneIsReportedUnreadable) {
  const auto found = scan("see " + file_ + ".gone now");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].readable);
  EXPECT_EQ(found[0].path, file_ + ".gone");
}

TEST_F(References, PlainWordsFoldersAndPipesAreNone) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(
      scan("and/or 1/2 http://e.com/x /help " + folder_.path().string() + " " + (folder_ / "pipe").string()).empty());
}

TEST_F(References, EachIsOpenedOnce) {
  EXPECT_EQ(scan(file_ + " " + file_).size(), 1u);
}

}  // namespace
}  // namespace attache::conformance
