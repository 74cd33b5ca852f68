// SPDX-License-Identifier: Apache-2.0
// The areas' own lists of jobs.
#pragma once

#include <vector>

#include "check/context.hpp"
#include "check/job.hpp"

namespace attache::conformance {

void add_load_jobs(std::vector<Job>& jobs);
void add_wire_jobs(std::vector<Job>& jobs);
void add_wire_name_jobs(std::vector<Job>& jobs);
void add_refuse_jobs(std::vector<Job>& jobs);
void add_refuse_spi_jobs(std::vector<Job>& jobs);
void add_life_jobs(std::vector<Job>& jobs);
void add_run_jobs(std::vector<Job>& jobs);
void add_leak_jobs(std::vector<Job>& jobs);
void add_real_jobs(std::vector<Job>& jobs);

}  // namespace attache::conformance
