// SPDX-License-Identifier: Apache-2.0
// What a driver built with the header of 1.0 takes for granted still holds.
#include "frozen/layout.h"

#include <string>

#include <gtest/gtest.h>

#include <attache/sdk/spi.h>

namespace attache::spi {
namespace {

TEST(Layout, EveryFieldAndValueOf10IsWhereItWas) {
  const layout frozen = frozen_layout(), present = present_layout();
  ASSERT_EQ(frozen.entry_count, present.entry_count);
  ASSERT_GT(frozen.entry_count, 100U);
  for (std::uint64_t i = 0; i < frozen.entry_count; ++i) {
    EXPECT_STREQ(frozen.entries[i].name, present.entries[i].name);
    EXPECT_EQ(frozen.entries[i].first, present.entries[i].first) << frozen.entries[i].name;
    EXPECT_EQ(frozen.entries[i].second, present.entries[i].second) << frozen.entries[i].name;
  }
}

TEST(Layout, OnlyTheHostsTableAndTheInputGrew) {
  const layout frozen = frozen_layout(), present = present_layout();
  ASSERT_EQ(frozen.size_count, present.size_count);
  for (std::uint64_t i = 0; i < frozen.size_count; ++i) {
    const std::string name = frozen.sizes[i].name;
    if (name == "attache_host") {
      EXPECT_EQ(frozen.sizes[i].first, offsetof(attache_host, report_process_group));
      EXPECT_EQ(present.sizes[i].first, sizeof(attache_host));
    } else if (name == "attache_input") {
      EXPECT_EQ(frozen.sizes[i].first, offsetof(attache_input, file_device));
      EXPECT_EQ(present.sizes[i].first, sizeof(attache_input));
    } else {
      EXPECT_EQ(frozen.sizes[i].first, present.sizes[i].first) << name;
    }
  }
}

}  // namespace
}  // namespace attache::spi
