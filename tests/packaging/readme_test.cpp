// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

const std::string readme = read_file(ATTACHE_SOURCE_DIR "/README.md");

TEST(Readme, DriverIsTheOneThatIsBuilt) {
  const std::string name = "examples/drivers/minimal/minimal.cpp";
  const std::string opening = "<!-- " + name + " -->\n```cpp\n";
  const std::size_t begin = readme.find(opening);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("```\n", begin + opening.size());
  ASSERT_NE(end, std::string::npos);
  const std::string code = readme.substr(begin + opening.size(), end - begin - opening.size());
  EXPECT_FALSE(code.empty());
  EXPECT_EQ(code, read_file(ATTACHE_SOURCE_DIR "/" + name));
  EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 40) << "the README promises a small driver";
}

TEST(Readme, HoldsNoAbsolutePath) {
  EXPECT_THAT(readme, testing::Not(testing::ContainsRegex("[^.a-zA-Z0-9_~)>-]/(tmp|home|usr|opt|work|root)/")));
}

}  // namespace
}  // namespace attache::test
