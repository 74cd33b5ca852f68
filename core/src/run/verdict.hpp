// SPDX-License-Identifier: Apache-2.0
// What a run came to, once the driver has returned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <attache/descriptor.hpp>
#include <attache/error.hpp>
#include <attache/result.hpp>

#include "run/recorder.hpp"

namespace attache::run {

/// Why a run is to end before its driver is done.
enum class Cause { none, host, agent_closed, deadline, idle };

/// Why a run failed.
struct Failure {
  errc code{};
  std::string reason;
  std::string text;
  std::optional<InputErrorFields> input;
  std::uint32_t provider_code = 0;
  std::string request_id;
};

/// What a verdict is reached from.
struct Evidence {
  attache_status status = ATTACHE_OK;  ///< as run() returned it
  const AttemptRecord& attempt;
  const Result& result;
  const std::vector<bool>& wants_exact;  ///< beside result.inputs
  const Descriptor& descriptor;
  const InputCapabilities& capabilities;
  Cause cause = Cause::none;
};

/// Empty: the run is healthy.
std::optional<Failure> judge(const Evidence& evidence);

/// A run that ended for `cause` (not none).
Failure ended_for(Cause cause);

/// The same, as what is thrown when the driver was not entered.
Error early_error(const Failure& failure);
RunError run_error(const Failure& failure, Result result);

}  // namespace attache::run
