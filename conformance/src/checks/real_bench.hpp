// SPDX-License-Identifier: Apache-2.0
// Runs through core with a provider's own executable, whose requests go to a recorder in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "checks/bench.hpp"
#include "recorder/recorder.hpp"

namespace attache::conformance {

/// What could be seen of one run. `run.captures` are the provider's HTTP requests.
struct RealSeen {
  RunSeen run;
  std::string key;                             ///< the fake credential of this run
  std::vector<std::filesystem::path> folders;  ///< all that driver and provider were given to write to
};

/// The driver in this process, led to JobSpec::provider as its dialect says.
class RealBench {
 public:
  /// Throws LoadError; std::runtime_error when the recorder's dialect is not there.
  explicit RealBench(JobContext& context);
  /// Each run has a recorder, a key and a state folder of its own. Never throws for what the run does; throws
  /// std::exception for faults of the kit.
  RealSeen run(const RunPlan& plan);
  /// Ports of the recorders of all runs so far.
  const std::vector<std::uint16_t>& ports() const noexcept { return ports_; }
  /// Empty: the driver has the option that leads the provider to the recorder; else why not.
  std::string unusable() const;

 private:
  std::string filled_config(const std::string& base_url, const std::string& key, const std::filesystem::path& state);

  JobContext& context_;
  Driver driver_;
  Dialect requests_;
  std::vector<std::uint16_t> ports_;
};

}  // namespace attache::conformance
