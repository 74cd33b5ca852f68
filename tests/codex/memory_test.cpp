// SPDX-License-Identifier: Apache-2.0
#include "../claude/memory.hpp"

namespace attache::test {
namespace {

TEST(CodexMemory, R_L1_ATwentyMebibyteImageCostsTheHostAFewMebibytes) {
  expect_that_twenty_mebibytes_cost_the_host_a_few();
}

}  // namespace
}  // namespace attache::test
