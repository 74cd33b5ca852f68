// SPDX-License-Identifier: Apache-2.0
// The kit's test of itself: every broken driver fails exactly what it should.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "check/runner.hpp"

namespace attache::conformance {

struct ControlOutcome {
  std::string name;
  std::vector<std::string> expected, failed;  ///< ids that fail, sorted
  std::vector<std::string> not_run;           ///< binding checks without a result
  std::vector<std::string> details;           ///< why, one line for each unexpected id
  bool holds() const { return expected == failed && not_run.empty(); }
};

/// Where the controls of this installation or build are.
std::filesystem::path controls_folder();

/// Runs each driver of `<folder>/expected.json`. Throws std::runtime_error when the file or a driver is missing.
std::vector<ControlOutcome> run_controls(const std::filesystem::path& folder, const CheckOptions& options);

}  // namespace attache::conformance
