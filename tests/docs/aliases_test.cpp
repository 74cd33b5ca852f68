// SPDX-License-Identifier: Apache-2.0
// The table of aliases in docs/inputs.md is the one of the sources.
#include <regex>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "command/command.hpp"
#include "inputs/media_type.hpp"

namespace attache::test {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

Pairs pairs_in(const std::string& text, const std::regex& pattern) {
  Pairs found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) {
    found.emplace((*i)[1].str(), (*i)[2].str());
  }
  return found;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find(end, from) - from);
}

TEST(Aliases, TheTableOfThePageIsThatOfTheSources) {
  const std::string source = read_file(ATTACHE_SOURCE_DIR "/core/src/inputs/media_type.cpp");
  const Pairs known = pairs_in(between(source, "aliases[] = {", "};"), std::regex(R"x(\{"([^"]+)", "([^"]+)"\})x"));
  EXPECT_GT(known.size(), 20u);
  Pairs listed;
  const std::string table = between(read_file(ATTACHE_SOURCE_DIR "/docs/inputs.md"), "| alias | is |", "\n\n");
  for (const auto& [from, to] : pairs_in(table, std::regex(R"(\n\| (`.*`) \| `([^`]+)` \|)"))) {
    for (const auto& [alias, nothing] : pairs_in(from, std::regex("`([^`]+)`()"))) listed.emplace(alias, to);
  }
  EXPECT_EQ(listed, known);
  for (const auto& [alias, type] : listed) EXPECT_EQ(inputs::normalize_media_type(alias), type);
}

}  // namespace
}  // namespace attache::test
