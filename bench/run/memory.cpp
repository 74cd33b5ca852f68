// SPDX-License-Identifier: Apache-2.0
// Goal 6: how far a whole run raises the peak of the host's resident set. Each run has a process of its own, which has
// done a small run before.
#include "support/memory.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "run/agents.hpp"
#include "support/child.hpp"
#include "support/goal.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

void run(Agent& agent, const std::filesystem::path& file) {
  const auto input = input::from_path(input::Kind::file, file).media_type(kMediaType);
  if (agent.run("What is this?", with_inputs(input)).text != "ok") throw std::runtime_error("the run failed");
}

struct Bench {
  Scratch scratch{Where::disk};
  std::filesystem::path tiny = scratch.file("tiny", 1024), small = scratch.file("small", std::size_t{1} << 20),
                        large = scratch.file("large", std::size_t{100} << 20), base = scratch.base();

  /// In MiB.
  double extra(const std::filesystem::path& file) const {
    return in_fork([&] {
             Agent agent = bench_agent(base);
             run(agent, tiny);
             reset_peak();
             const auto before = static_cast<double>(peak_bytes());
             run(agent, file);
             return std::vector{(static_cast<double>(peak_bytes()) - before) / (1 << 20)};
           })
        .at(0);
  }
};

Work extra_of_large() {
  return [bench = std::make_shared<Bench>()] { return Round{bench->extra(bench->large), 0, {}}; };
}

Work large_to_small() {
  return [bench = std::make_shared<Bench>()] {
    const double small = bench->extra(bench->small);
    const double large = bench->extra(bench->large);
    return Round{large - small, 0, {{"of_1_MiB_input", small}, {"of_100_MiB_input", large}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  add("memory/100 MiB", 5, at_most(6, 4, "MiB extra"), extra_of_large);
  add("memory/100 MiB to 1 MiB", 5, at_most(6, 1, "MiB more"), large_to_small);
  return run_all(argc, argv);
}
