// SPDX-License-Identifier: Apache-2.0
#include "support/clock.hpp"

#include <algorithm>

#include <time.h>

namespace attache::bench {
namespace {

double read(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

Took operator+(const Took& a, const Took& b) noexcept {
  return {a.wall + b.wall, a.cpu + b.cpu};
}

Stopwatch::Stopwatch() : begin_{read(CLOCK_MONOTONIC), read(CLOCK_PROCESS_CPUTIME_ID)} {}

Took Stopwatch::elapsed() const {
  return {read(CLOCK_MONOTONIC) - begin_.wall, read(CLOCK_PROCESS_CPUTIME_ID) - begin_.cpu};
}

Took time_of(const std::function<void()>& work) {
  const Stopwatch watch;
  work();
  return watch.elapsed();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace attache::bench
