// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <sched.h>
#include <time.h>

#include "common/rounds.hpp"

namespace attache::bench {
namespace {

double seconds_by(clockid_t clock, const Work& work) {
  timespec begin{}, end{};
  ::clock_gettime(clock, &begin);
  work();
  ::clock_gettime(clock, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) + static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9;
}

void measure(benchmark::State& state, const Case& given) {
  const auto prepare = [&given] {
    if (given.before_each) given.before_each();
  };
  prepare();
  given.limit();
  prepare();
  given.work();
  const bool slower = given.goal.has_value() && given.goal->most > 0;
  std::vector<double> times, ratios;
  for (auto _ : state) {
    prepare();
    const double bound = given.clock(given.limit);
    prepare();
    const double took = given.clock(given.work);
    times.push_back(took);
    ratios.push_back(slower ? took / bound : bound / took);
    state.SetIterationTime(took);
  }
  const double ratio = median(ratios);
  if (given.bytes > 0) state.counters["GB_per_s"] = given.bytes / median(times) / 1e9;
  state.counters["ratio"] = ratio;
  if (given.goal.has_value()) {
    state.counters["goal"] = slower ? given.goal->most : given.goal->least;
    state.counters["met"] = (slower ? ratio <= given.goal->most : ratio >= given.goal->least) ? 1 : 0;
  }
}

}  // namespace

double processor_seconds(const Work& work) {
  return seconds_by(CLOCK_THREAD_CPUTIME_ID, work);
}

double wall_seconds(const Work& work) {
  return seconds_by(CLOCK_MONOTONIC, work);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void add(Case given) {
  const std::string name = given.name;
  const int rounds = given.rounds;
  benchmark::RegisterBenchmark(name.c_str(), [given](benchmark::State& state) { measure(state, given); })
      ->UseManualTime()
      ->Iterations(rounds)
      ->Unit(benchmark::kMillisecond);
}

bool stay_on(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace attache::bench
