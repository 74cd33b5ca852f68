// SPDX-License-Identifier: Apache-2.0
// A case and its limit, measured in turn inside one run: the machine may be busy, but then it is so for both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace attache::bench {

using Work = std::function<void()>;

/// Seconds of this thread's processor, for what waits for nothing; other processes do not count.
double processor_seconds(const Work& work);
/// Seconds that passed.
double wall_seconds(const Work& work);

double median(std::vector<double> values);

/// What a ratio has to be.
struct Goal {
  double least = 0;  ///< times as fast as the limit
  double most = 0;   ///< times as slow as the limit; 0: the other one counts
};

struct Case {
  std::string name;
  Work limit;  ///< for cases of several parts: all of them, one after the other
  Work work;
  std::optional<Goal> goal{};
  double bytes = 0;  ///< of the work; 0: a time is shown instead of a rate
  double (*clock)(const Work&) = wall_seconds;
  int rounds = 11;
  Work before_each{};  ///< not measured
};

/// Shows beside the time: `ratio`, the median over the rounds (how many times as fast as the limit, or as slow where
/// the goal is a `most`), `goal`, and `met` (1 or 0).
void add(Case given);

/// Runs on these processors only; false: the system refused.
bool stay_on(const std::vector<int>& processors);

/// Google Benchmark's main().
int run_all(int argc, char** argv);

}  // namespace attache::bench
