// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

namespace attache::test {
namespace {

TEST(Memory, R_L1_ATwentyMebibytePdfCostsTheHostAFewMebibytes) {
  expect_that_twenty_mebibytes_cost_the_host_a_few();
}

}  // namespace
}  // namespace attache::test
