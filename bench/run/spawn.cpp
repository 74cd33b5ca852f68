// SPDX-License-Identifier: Apache-2.0
// Goal 11: starting and ending a provider's process from a host of 1 GiB resident, against the same host when small.
#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <sys/mman.h>

#include <attache/sdk/child_process.hpp>

#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"

namespace attache::bench {
namespace {

constexpr int kStarts = 20;
constexpr std::size_t kGiB = std::size_t{1} << 30;

void start_and_end() {
  sdk::SpawnOptions options;
  options.executable = beside_us("bench_sink").native();
  options.arguments = {"--turn"};
  sdk::ChildProcess child = sdk::ChildProcess::spawn(options);
  child.close_input();
  child.pump({}, {});
  if (!child.end(std::chrono::milliseconds(1000)).success()) throw std::runtime_error("the child failed");
}

void plain_start_and_end() {
  PlainChild(beside_us("bench_sink"), {"--turn"}).finish();
}

double starts(void (*one)()) {
  return time_of([&] {
           for (int i = 0; i < kStarts; ++i) one();
         }).wall /
         kStarts;
}

class Resident {
 public:
  Resident() : memory_(::mmap(nullptr, kGiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("there is no memory for a large host");
    std::memset(memory_, 1, kGiB);
  }
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  ~Resident() { ::munmap(memory_, kGiB); }

 private:
  void* memory_;
};

Work large_to_small() {
  unpin();
  return [] {
    const double plain = starts(plain_start_and_end);
    const double small = starts(start_and_end);
    const Resident memory;
    const double large = starts(start_and_end);
    return Round{
        large / small, large, {{"posix_spawn_us", plain * 1e6}, {"small_us", small * 1e6}, {"large_us", large * 1e6}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  add("spawn/1 GiB resident", 11, at_most(11, 1.5, "times a small host"), large_to_small);
  return run_all(argc, argv);
}
