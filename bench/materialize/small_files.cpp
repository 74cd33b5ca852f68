// SPDX-License-Identifier: Apache-2.0
// Goal 5: files of 10 KB on tmpfs, against copying them plainly and hashing their bytes.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "materialize/taker.hpp"
#include "support/affinity.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/limits.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t kSize = 10240;
constexpr std::size_t kFiles = 240;

struct Bench {
  Bench() : scratch(Where::tmpfs), taker(scratch.base()) {
    for (std::size_t i = 0; i < kFiles; ++i) files.push_back(scratch.file("file-" + std::to_string(i), kSize));
    std::filesystem::create_directory(copies);
  }

  void copy_all() const {
    for (const auto& file : files) copy_plainly(file, copies / file.filename());
    for (const auto& file : files) std::filesystem::remove(copies / file.filename());
  }
  void hash_all() const {
    for (std::size_t i = 0; i < kFiles; ++i) hash_memory(memory);
  }
  /// The directory of each run is made and removed too.
  void take_all(std::size_t at_once) const {
    for (std::size_t at = 0; at < kFiles; at += at_once) {
      std::vector<input::Input> inputs;
      for (std::size_t i = at; i < at + at_once; ++i) inputs.push_back(as_path(files[i]));
      taker.take(inputs).remove();
    }
  }

  Scratch scratch;
  Taker taker;
  std::vector<std::filesystem::path> files;
  std::filesystem::path copies = scratch.path() / "copies";
  std::string memory = random_bytes(kSize);
};

double each(double seconds) {
  return seconds / double{kFiles} * 1e6;
}

Work small_files(std::size_t at_once) {
  pin_to(processors().front());
  return [bench = std::make_shared<Bench>(), at_once] {
    const Took copy = time_of([&] { bench->copy_all(); });
    const Took hash = time_of([&] { bench->hash_all(); });
    const Took took = time_of([&] { bench->take_all(at_once); });
    const Took limit = copy + hash;
    return Round{took.wall / limit.wall,
                 took.wall,
                 {{"copy_us", each(copy.wall)},
                  {"hash_us", each(hash.wall)},
                  {"us", each(took.wall)},
                  {"by_cpu_time", took.cpu / limit.cpu}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  add("small_files/10 KB/20 in a run", 21, at_most(5, 1.25, "times copy + hash"), [] { return small_files(20); });
  add("small_files/10 KB/1 in a run", 21, no_goal("times copy + hash"), [] { return small_files(1); });
  return run_all(argc, argv);
}
