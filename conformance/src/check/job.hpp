// SPDX-License-Identifier: Apache-2.0
// A job: checks that share one process and, where they can, one run of the driver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <attache/descriptor.hpp>

namespace attache::conformance {

class JobContext;

struct Job {
  std::string name;
  std::vector<std::string> ids;  ///< every check it gives a result for, at each of its cells
  /// The coordinates it is run at, each in a process of its own; nullptr: once, without coordinates. None: its checks
  /// do not apply.
  std::vector<std::string> (*cells)(const Descriptor& descriptor) = nullptr;
  void (*run)(JobContext& context) = nullptr;
  bool needs_dialect = true;
  bool real = false;  ///< runs with a real provider instead of the stand-in
};

/// Every dynamic job, in the order they are started. The first one loads the driver; the others run only when its
/// checks passed.
const std::vector<Job>& jobs();
const Job* find_job(std::string_view name);

/// Why a gate of the registry is closed for this descriptor; empty: it is open.
std::string closed_gate(std::string_view gate, const Descriptor& descriptor);

}  // namespace attache::conformance
