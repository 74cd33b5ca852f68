// SPDX-License-Identifier: Apache-2.0
#include "checks/jobs.hpp"

#include <stdexcept>

#include "checks/choice.hpp"

namespace attache::conformance {

const std::vector<Job>& jobs() {
  static const std::vector<Job> all = [] {
    std::vector<Job> list;
    for (auto* add : {add_load_jobs, add_wire_jobs, add_wire_name_jobs, add_refuse_jobs, add_refuse_spi_jobs,
                      add_life_jobs, add_run_jobs, add_leak_jobs, add_real_jobs}) {
      add(list);
    }
    return list;
  }();
  return all;
}

const Job* find_job(std::string_view name) {
  for (const auto& job : jobs()) {
    if (job.name == name) return &job;
  }
  return nullptr;
}

std::string closed_gate(std::string_view gate, const Descriptor& descriptor) {
  if (gate.empty()) return {};
  if (gate == "inputs") return declared_cells(descriptor).empty() ? "the driver declares no inputs" : "";
  if (gate == "cancel") return descriptor.features.cancel ? "" : "the driver does not declare cancel";
  throw std::logic_error("the registry names a gate that nobody can judge");
}

}  // namespace attache::conformance
