// SPDX-License-Identifier: Apache-2.0
// Every broken driver fails exactly what it should; the same as `attache-conformance controls`.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "run_kit.hpp"

namespace attache::conformance {
namespace {

TEST(Controls, EachFailsExactlyItsChecks) {
  const KitRun run = run_kit({"controls"});
  EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
  const auto expected = nlohmann::json::parse(read_all(KIT_CONTROLS "/expected.json"));
  for (const auto& [name, ids] : expected.items())
    EXPECT_THAT(run.output, testing::HasSubstr("ok    " + name + ": fails"));
}

}  // namespace
}  // namespace attache::conformance
