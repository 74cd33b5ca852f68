// SPDX-License-Identifier: Apache-2.0
// What became of one check.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attache::conformance {

/// The word a report uses is in to_string().
enum class Outcome {
  pass,
  fail,
  crashed,         ///< the check's process ended by a signal; the reason names it and the stage
  timed_out,       ///< the check's process was ended at its time limit
  not_applicable,  ///< the descriptor leaves nothing to check; the reason says why
  not_run,         ///< a prerequisite is missing; a must then makes the verdict incomplete
  warn,            ///< a `should` does not hold
};
std::string_view to_string(Outcome outcome) noexcept;
std::optional<Outcome> outcome_from_string(std::string_view word) noexcept;

/// One check at one coordinate. Holds no content, path or credential.
struct CheckResult {
  std::string id;
  std::string coordinates;  ///< "image,native,image/png", or empty
  Outcome outcome = Outcome::not_run;
  std::string reason;                 ///< one sentence; empty when it passed
  std::vector<std::string> evidence;  ///< shapes, sizes, digests, counts

  /// "WIRE-101" or "WIRE-101[image,native,image/png]".
  std::string name() const { return coordinates.empty() ? id : id + "[" + coordinates + "]"; }
};

}  // namespace attache::conformance
