// SPDX-License-Identifier: Apache-2.0
#include "inputs/copy_budget.hpp"

#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <attache/error.hpp>

namespace attache::inputs {
namespace {

TEST(CopyBudget, GivesTheLimitAndOneByte) {
  CopyBudget budget(10);
  budget.take(6, {}).keep(6);
  auto rest = budget.take(100, {});
  EXPECT_EQ(rest.bytes(), 5u);
  rest.keep(4);
  budget.take(100, {}).keep(1);
  EXPECT_EQ(budget.take(1, {}).bytes(), 0u);
}

TEST(CopyBudget, WhatIsNotKeptGoesBack) {
  CopyBudget budget(10);
  { const auto dropped = budget.take(100, {}); }
  EXPECT_EQ(budget.take(100, {}).bytes(), 11u);
}

TEST(CopyBudget, TheLargestLimitDoesNotWrap) {
  CopyBudget budget(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(budget.take(1 << 20, {}).bytes(), 1u << 20);
}

TEST(CopyBudget, AThreadWaitsForWhatAnotherMayGiveBack) {
  CopyBudget budget(10);
  auto all = budget.take(11, {});
  std::uint64_t got = 0;
  std::thread waiting([&] { got = budget.take(11, {}).bytes(); });
  all.keep(3);
  waiting.join();
  EXPECT_EQ(got, 8u);
}

TEST(CopyBudget, AWaitEndsWithAStop) {
  CopyBudget budget(10);
  const auto all = budget.take(11, {});
  std::stop_source stop;
  errc code{};
  std::thread waiting([&] {
    try {
      budget.take(1, stop.get_token());
    } catch (const Error& error) {
      code = error.code();
    }
  });
  stop.request_stop();
  waiting.join();
  EXPECT_EQ(code, errc::cancelled);
}

TEST(CopyBudget, IsExactAcrossThreads) {
  constexpr std::uint64_t limit = 100000;
  CopyBudget budget(limit);
  std::vector<std::uint64_t> kept(4);
  std::vector<std::thread> threads;
  for (std::uint64_t& mine : kept) {
    threads.emplace_back([&budget, &mine] {
      for (;;) {
        auto grant = budget.take(97, {});
        if (grant.bytes() == 0) return;
        const std::uint64_t part = (grant.bytes() + 1) / 2;
        grant.keep(part);
        mine += part;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kept[0] + kept[1] + kept[2] + kept[3], limit + 1);
}

}  // namespace
}  // namespace attache::inputs
