// SPDX-License-Identifier: Apache-2.0
// One job seen from the kit: started, listened to, ended, cleaned up after.
#pragma once

#include <string>
#include <vector>

#include "check/context.hpp"
#include "check/job.hpp"
#include "check/result.hpp"
#include "check/runner.hpp"

namespace attache::conformance {

struct JobOutcome {
  std::vector<CheckResult> results;  ///< one for each id of the job, whatever happened
  std::vector<std::string> faults;
};

/// Starts the kit again for a job at one cell. Blocks.
JobOutcome run_job(const Job& job, const std::string& cell, const std::filesystem::path& plugin,
                   const CheckOptions& options);

}  // namespace attache::conformance
