// SPDX-License-Identifier: Apache-2.0
// A benchmark is rounds. A round takes the limit and the subject in turn, so that a busy moment of the machine meets
// both; what is reported is the median of the rounds' own ratios.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace attache::bench {

/// What one round found.
struct Round {
  double measured = 0;                 ///< what the goal is about
  double seconds = 0;                  ///< of the subject; 0: the round timed nothing
  std::map<std::string, double> more;  ///< further figures, each reported as its median
};

/// A number of the table in docs/performance.md, or 0 for a row that only informs.
struct Goal {
  enum class Side { at_least, at_most };
  int number = 0;
  Side side = Side::at_least;
  double bound = 0;
  std::string of;  ///< what `measured` is, such as "of L"
};

Goal at_least(int number, double bound, std::string of);
Goal at_most(int number, double bound, std::string of);
Goal no_goal(std::string of);

using Work = std::function<Round()>;

/// Registers a benchmark. `prepare` is called once when it begins and gives the work of a round, which is done once
/// for warming up and then `rounds` times.
void add(const std::string& name, int rounds, const Goal& goal, std::function<Work()> prepare);

/// Runs what the command line selects. Gives main()'s result: a missed goal is no failure.
int run_all(int argc, char** argv);

}  // namespace attache::bench
