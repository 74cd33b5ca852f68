// SPDX-License-Identifier: Apache-2.0
#include "check/registry.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "check/job.hpp"
#include "checks/static_checks.hpp"
#include "report/report.hpp"
#include "run_kit.hpp"

namespace attache::conformance {
namespace {

std::set<std::string> implemented() {
  std::set<std::string> ids(static_check_ids().begin(), static_check_ids().end());
  for (const auto& job : jobs()) ids.insert(job.ids.begin(), job.ids.end());
  return ids;
}

TEST(Registry, EveryCheckHasAnEntryAndEveryEntryACheck) {
  std::set<std::string> entries;
  for (const auto& entry : Registry::built_in().entries()) entries.insert(entry.id);
  EXPECT_EQ(entries, implemented());
}

TEST(Registry, NoCheckIsInTwoJobs) {
  std::size_t count = static_check_ids().size();
  for (const auto& job : jobs()) count += job.ids.size();
  EXPECT_EQ(count, implemented().size());
}

TEST(Registry, GatesCanBeJudged) {
  for (const auto& entry : Registry::built_in().entries()) EXPECT_NO_THROW(closed_gate(entry.gate, {})) << entry.id;
}

TEST(Registry, ControlsAreThere) {
  const auto expected = nlohmann::json::parse(read_all(KIT_CONTROLS "/expected.json"));
  for (const auto& entry : Registry::built_in().entries()) {
    for (const auto& control : entry.controls) {
      ASSERT_TRUE(expected.contains(control)) << entry.id;
      EXPECT_THAT(expected[control].get<std::vector<std::string>>(), testing::Contains(entry.id)) << control;
    }
  }
}

TEST(Registry, UnprovenChecksAreTheCommittedOnes) {
  std::string unproven;
  std::size_t count = 0;
  for (const auto& entry : Registry::built_in().entries()) {
    if (entry.unproven.empty()) continue;
    unproven += entry.id + "\n";
    ++count;
  }
  std::printf("%zu of %zu checks have no broken driver of their own yet\n", count,
              Registry::built_in().entries().size());
  EXPECT_EQ(unproven, read_all(KIT_TESTS "/unproven.txt"));
}

TEST(Registry, FaultsAreAllNamed) {
  const char* const json = R"({"checks":[
    {"id":"WIRE-1","slug":"a","title":"","rule":"","clause":"","severity":"must","since_minor":0,"stage":"static","unproven":"x"},
    {"id":"WIRE-101","slug":"a","title":"","rule":"","clause":"","severity":"grave","since_minor":0,"stage":"static"},
    {"id":"WIRE-101","slug":"a","title":"","rule":"","clause":"","severity":"must","since_minor":0,"stage":"static","controls":["c"]}]})";
  try {
    Registry::parse(json);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("WIRE-1: an id"), testing::HasSubstr("unknown severity"),
                               testing::HasSubstr("says why"), testing::HasSubstr("appears twice")));
  }
}

TEST(Registry, FiltersMatchIdAndSlug) {
  const CheckEntry& entry = *Registry::built_in().find("WIRE-101");
  EXPECT_TRUE(matches(entry, "*"));
  EXPECT_TRUE(matches(entry, "WIRE-*"));
  EXPECT_TRUE(matches(entry, "WIRE-10?"));
  EXPECT_TRUE(matches(entry, "*typed-block"));
  EXPECT_FALSE(matches(entry, "WIRE"));
  EXPECT_FALSE(matches(entry, "FILE-*"));
  EXPECT_FALSE(matches(entry, ""));
}

TEST(Registry, ThePageOfChecksIsUpToDate) {
  EXPECT_EQ(read_all(KIT_DOCS "/checks.md"), render_list_markdown())
      << "run: attache-conformance list --markdown > docs/conformance/checks.md";
}

}  // namespace
}  // namespace attache::conformance
