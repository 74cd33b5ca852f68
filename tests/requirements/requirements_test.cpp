// SPDX-License-Identifier: Apache-2.0
// docs/requirements.md names only tests that are there.
#include "requirements.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Requirements, EveryNamedTestIsThere) {
  std::ifstream file(ATTACHE_SOURCE_DIR "/docs/requirements.md");
  std::ostringstream page;
  page << file.rdbuf();
  std::size_t rows = 0;
  EXPECT_THAT(faults_of(page.str(), tests_below(ATTACHE_SOURCE_DIR "/tests"), rows), IsEmpty());
  EXPECT_GE(rows, 16u + 70u);
  EXPECT_THAT(case_faults_of(page.str()), IsEmpty());
  EXPECT_NE(page.str().find("\n## Deviations\n"), std::string::npos);
}

TEST(Requirements, OnlyTestsThatAreBuiltCount) {
  const TemporaryDirectory tree;
  tree.write("area/CMakeLists.txt", "attache_test(area SOURCES built_test.cpp)\n");
  tree.write("area/built_test.cpp",
             "TEST(Plain, One) {}\nTEST_F(Fixture, Two) {}\nTEST_P(Each, Three) {}\n"
             "// TEST(Plain, InAComment) {}\n  TEST(Plain, Indented) {}\nTEST(Plain, DISABLED_Off) {}\n");
  tree.write("area/forgotten_test.cpp", "TEST(Plain, Forgotten) {}\n");
  tree.write("other/lone_test.cpp", "TEST(Plain, Lone) {}\n");
  EXPECT_THAT(tests_below(tree.path()), ElementsAre("Each.Three", "Fixture.Two", "Plain.DISABLED_Off", "Plain.One"));
}

TEST(Requirements, AMissingTestAndAnEmptyRowAreTold) {
  const std::string page =
      "# Page\n\n## One\n\n| bullet | tests |\n|---|---|\n| kept | `A.B` `C.D` |\n| gone | `A.B` `A.Gone` |\n| none | "
      "|\n"
      "\n## Deviations\n\n| bullet | decision | reason |\n|---|---|---|\n| `X.Y` | z | |\n";
  std::size_t rows = 0;
  EXPECT_THAT(faults_of(page, {"A.B", "C.D"}, rows), ElementsAre("is not there: A.Gone", "names no test: | none | |"));
  EXPECT_EQ(rows, 3u);
}

TEST(Requirements, AFieldCaseWithoutARowIsTold) {
  std::string page;
  const std::string counts = "ABCDEFGHIJKLMNO";
  const int last[] = {12, 4, 8, 4, 9, 10, 12, 3, 6, 2, 2, 3, 5, 1, 1};
  for (std::size_t letter = 0; letter < counts.size(); ++letter) {
    for (int number = 1; number <= last[letter]; ++number) {
      const std::string id = counts[letter] + std::to_string(number);
      page += "| R-" + id + " | fault | `A.R_" + id + "` `A.B` | |\n";
    }
  }
  EXPECT_THAT(case_faults_of(page), IsEmpty());
  EXPECT_THAT(case_faults_of(page + "| R-A1 | again | `A.R_A1_Again` | |\n| R-Z9 | none | `A.R_Z9` | |\n"),
              ElementsAre("R-A1 has 2 rows", "R-Z9 is no case"));
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = page.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    page.replace(at, from.size(), to);
  };
  change("| R-C7 | fault |", "| R-C7 | |");
  change("| R-C6 | fault | `A.R_C6` `A.B` |", "| R-C6 | fault | |");
  change("| R-A1 | fault | `A.R_A1` `A.B` |", "| R-A1 | fault | `A.R_A12_R_B1` |");
  change("| R-A2 | fault | `A.R_A2` `A.B` | |", "| R-A2 | fault | HTTP: issue 6 |");
  change("| R-A3 | fault | `A.R_A3` `A.B` | |", "| R-A3 | fault | HTTP |");
  EXPECT_THAT(case_faults_of(page), ElementsAre("R-A1 has no test with its id", "R-A3 has neither test nor issue",
                                                "R-C6 has 0 rows", "R-C7 has 0 rows"));
}

}  // namespace
}  // namespace attache::test
