// SPDX-License-Identifier: Apache-2.0
// Runs at the SPI itself, without core, against a stand-in provider.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/context.hpp"
#include "harness/request.hpp"
#include "harness/spi_host.hpp"
#include "wire/capture.hpp"

namespace attache::conformance {

struct SpiSeen {
  SpiRecord record;
  WatchCounts counts;  ///< during run() alone
  std::vector<Capture> captures;
  std::size_t starts = 0;

  std::string outcome() const;
};

/// An instance of the driver with a stand-in of its own. Throws HarnessError.
class SpiBench {
 public:
  SpiBench(JobContext& context, const SpiDriver& driver, const std::string& scenario);
  SpiSeen run(const attache_request& request);
  void destroy() { instance_->destroy(); }

 private:
  JobContext& context_;
  TapHome tap_;
  std::unique_ptr<SpiInstance> instance_;
};

/// A copy in a folder of its own, as core would hand it over: neutral name, read-only.
Canary materialized(JobContext& context, Canary canary);
/// Part of the path of a materialized canary, and of nothing else.
std::string path_token(const Canary& canary);

}  // namespace attache::conformance
