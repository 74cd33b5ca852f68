// SPDX-License-Identifier: Apache-2.0
// Links between the pages lead somewhere.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const fs::path root = ATTACHE_SOURCE_DIR;

/// A heading as its anchor: lower case, blanks as dashes, without marks.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor.push_back(static_cast<char>(std::tolower(byte)));
    }
    if (c == ' ') anchor.push_back('-');
  }
  return anchor;
}

/// The lines outside of blocks of code.
std::vector<std::string> prose_of(const std::string& text) {
  std::vector<std::string> prose;
  std::istringstream lines(text);
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      code = !code;
    } else if (!code) {
      prose.push_back(line);
    }
  }
  return prose;
}

std::set<std::string> anchors_of(const std::string& text) {
  std::set<std::string> anchors;
  for (const std::string& line : prose_of(text)) {
    const std::size_t level = line.find_first_not_of('#');
    if (level != std::string::npos && level > 0 && line[level] == ' ')
      anchors.insert(anchor_of(line.substr(level + 1)));
  }
  return anchors;
}

/// The links of a page that lead to nothing.
std::vector<std::string> broken_links(const fs::path& page, std::size_t& links) {
  static const std::regex link(R"(\]\(([^)#:]*)(#[^)]*)?\))");
  std::vector<std::string> broken;
  for (const std::string& line : prose_of(read_file(page.string()))) {
    for (std::sregex_iterator i(line.begin(), line.end(), link), end; i != end; ++i) {
      ++links;
      const fs::path target = (*i)[1].length() == 0 ? page : page.parent_path() / (*i)[1].str();
      const std::string anchor = (*i)[2].length() == 0 ? "" : (*i)[2].str().substr(1);
      const bool there = fs::exists(target);
      if (!there || (!anchor.empty() && anchors_of(read_file(target.string())).count(anchor) == 0)) {
        broken.push_back((*i)[1].str() + (*i)[2].str());
      }
    }
  }
  return broken;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> all{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  }
  return all;
}

TEST(Links, LeadToPagesAndHeadingsThatAreThere) {
  std::size_t links = 0;
  for (const fs::path& page : pages()) EXPECT_THAT(broken_links(page, links), IsEmpty()) << page;
  EXPECT_GT(links, 50u);
}

TEST(Links, BrokenOnesAreTold) {
  const TemporaryDirectory tree;
  tree.write("other.md", "# Other\n\n## A `part`, and more\n```sh\n## no heading\n```\n");
  const std::string page = tree.write(
      "page.md",
      "# Page\n[good](other.md#a-part-and-more) [self](#page) [web](https://example.org/#x)\n"
      "[gone](gone.md) [no part](other.md#another) [code](other.md#no-heading)\n```\n[code](gone.md)\n```\n");
  std::size_t links = 0;
  EXPECT_THAT(broken_links(page, links), ElementsAre("gone.md", "other.md#another", "other.md#no-heading"));
  EXPECT_EQ(links, 5u);
}

TEST(Links, TheReadmeLeadsToEveryPageOfDocs) {
  const std::string readme = read_file((root / "README.md").string());
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = entry.path().filename().string();
    EXPECT_NE(readme.find("](docs/" + name + ")"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace attache::test
