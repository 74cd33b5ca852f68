// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

namespace attache::bench {

/// What a piece of work took, in seconds.
struct Took {
  double wall = 0;
  double cpu = 0;  ///< processor time of all threads of this process; other processes do not count
};

Took operator+(const Took& a, const Took& b) noexcept;

class Stopwatch {
 public:
  Stopwatch();
  Took elapsed() const;

 private:
  Took begin_;
};

Took time_of(const std::function<void()>& work);
/// The middle one; of an even number the upper of the two. Not for an empty list.
double median(std::vector<double> values);

}  // namespace attache::bench
