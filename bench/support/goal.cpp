// SPDX-License-Identifier: Apache-2.0
#include "support/goal.hpp"

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/clock.hpp"

namespace attache::bench {
namespace {

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

void report(benchmark::State& state, const Goal& goal, double measured) {
  state.counters["measured"] = measured;
  state.counters["goal_number"] = goal.number;
  std::string label = two_digits(measured) + " " + goal.of;
  if (goal.number != 0) {
    const bool least = goal.side == Goal::Side::at_least;
    const bool reached = least ? measured >= goal.bound : measured <= goal.bound;
    state.counters["bound"] = goal.bound;
    state.counters["reached"] = reached ? 1 : 0;
    label += std::string(", goal ") + (least ? ">= " : "<= ") + two_digits(goal.bound) +
             (reached ? ": reached" : ": MISSED");
  }
  state.SetLabel(label);
}

void measure(benchmark::State& state, const Goal& goal, const std::function<Work()>& prepare) {
  const Work work = prepare();
  work();
  std::vector<double> measured;
  std::map<std::string, std::vector<double>> more;
  for (auto _ : state) {
    const Round round = work();
    measured.push_back(round.measured);
    for (const auto& [name, value] : round.more) more[name].push_back(value);
    state.SetIterationTime(round.seconds);
  }
  for (auto& [name, values] : more) state.counters[name] = median(std::move(values));
  report(state, goal, median(std::move(measured)));
}

}  // namespace

Goal at_least(int number, double bound, std::string of) {
  return {number, Goal::Side::at_least, bound, std::move(of)};
}

Goal at_most(int number, double bound, std::string of) {
  return {number, Goal::Side::at_most, bound, std::move(of)};
}

Goal no_goal(std::string of) {
  return {0, Goal::Side::at_least, 0, std::move(of)};
}

void add(const std::string& name, int rounds, const Goal& goal, std::function<Work()> prepare) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 try {
                                   measure(state, goal, prepare);
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(rounds)
      ->Unit(benchmark::kMillisecond);
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace attache::bench
