// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/host.hpp>

namespace attache {

/// How a step of loading ended: well (`failed()` is false), or at a stage for a reason.
struct StepResult {
  LoadAttempt::Stage stage = LoadAttempt::Stage::done;
  std::string reason;
  std::string text;  ///< names no path: it becomes the text of an Error
  std::string hint;  ///< only for the report; may name paths
  bool failed() const noexcept { return stage != LoadAttempt::Stage::done; }
};

}  // namespace attache
