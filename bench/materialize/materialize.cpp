// SPDX-License-Identifier: Apache-2.0
// Goals 1, 2 and 4: copying and hashing large inputs, against L = 1/(1/S + 1/W) of the same round.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "materialize/taker.hpp"
#include "support/affinity.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/limits.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t kSize = std::size_t{64} << 20;

double rate(double seconds) {
  return double{kSize} / seconds / 1e9;
}

struct Bench {
  explicit Bench(Where where)
      : scratch(where), file(scratch.file("one", kSize)), second(scratch.file("two", kSize)), taker(scratch.base()) {}

  /// Without the removal, which copy_plainly() leaves out too.
  Took take(const std::vector<input::Input>& inputs) const {
    const Stopwatch watch;
    inputs::RunInputs taken = taker.take(inputs);
    const Took took = watch.elapsed();
    taken.remove();
    return took;
  }
  Took copy() const {
    const auto to = scratch.path() / "copy";
    const Took took = time_of([&] { copy_plainly(file, to); });
    std::filesystem::remove(to);
    return took;
  }

  Scratch scratch;
  std::filesystem::path file, second;
  Taker taker;
  std::string memory = random_bytes(kSize);
};

Work one_input(Where where) {
  pin_to(processors().front());
  return [bench = std::make_shared<Bench>(where)] {
    const Took hash = time_of([&] { hash_memory(bench->memory); });
    const Took copy = bench->copy();
    const Took took = bench->take({as_path(bench->file)});
    const Took limit = hash + copy;
    return Round{limit.wall / took.wall,
                 took.wall,
                 {{"S_GB_per_s", rate(hash.wall)},
                  {"W_GB_per_s", rate(copy.wall)},
                  {"L_GB_per_s", rate(limit.wall)},
                  {"GB_per_s", rate(took.wall)},
                  {"by_cpu_time", limit.cpu / took.cpu}}};
  };
}

Work two_inputs(Where where) {
  unpin();
  return [bench = std::make_shared<Bench>(where)] {
    const Took one = bench->take({as_path(bench->file)});
    const Took two = bench->take({as_path(bench->file), as_path(bench->second)});
    return Round{2 * one.wall / two.wall, two.wall, {{"processors", static_cast<double>(processors().size())}}};
  };
}

/// The slower of fs and opener to path.
Work sources(Where where) {
  pin_to(processors().front());
  return [bench = std::make_shared<Bench>(where)] {
    const double path = bench->take({as_path(bench->file)}).wall;
    const double fs = bench->take({as_fs(bench->file)}).wall;
    const double opener = bench->take({as_opener(bench->file)}).wall;
    return Round{std::max(fs, opener) / path, path, {{"fs_to_path", fs / path}, {"opener_to_path", opener / path}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  for (const auto& [name, where] : {std::pair("disk", Where::disk), std::pair("tmpfs", Where::tmpfs)}) {
    const auto of = [&](const char* what) { return std::string(what) + "/64 MiB/" + name; };
    add(of("one_input"), 21, at_least(1, 0.90, "of L"), [where = where] { return one_input(where); });
    add(of("two_inputs"), 21, at_least(2, 1.6, "times one input"), [where = where] { return two_inputs(where); });
    add(of("sources"), 21, at_most(4, 1.10, "times the path source"), [where = where] { return sources(where); });
  }
  return run_all(argc, argv);
}
