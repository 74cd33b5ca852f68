// SPDX-License-Identifier: Apache-2.0
// What convention 8 of the SPI protects, as it is at one moment.
#pragma once

#include <string>
#include <vector>

#include "check/context.hpp"

namespace attache::conformance {

struct ProcessState {
  std::vector<std::string> environment, descriptors;
  std::vector<std::uintptr_t> signals;
  std::string locale, directory, blocked;
  unsigned mask = 0;
  std::size_t threads = 0;
  std::uintmax_t output = 0;  ///< bytes written to standard output and error so far

  static ProcessState now(const JobContext& context);
  /// One sentence for each thing that differs.
  std::vector<std::string> changes_since(const ProcessState& before) const;
};

}  // namespace attache::conformance
