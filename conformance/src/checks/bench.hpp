// SPDX-License-Identifier: Apache-2.0
// Runs through core against a stand-in provider, with everything written down.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <attache/attache.hpp>

#include "canary/canary.hpp"
#include "check/context.hpp"
#include "check/watch.hpp"
#include "wire/capture.hpp"

namespace attache::conformance {

struct RunPlan {
  std::string prompt = "Say what you see.";
  std::vector<input::Input> inputs;
  InputLimits limits;
  std::string scenario = "ok";
  /// never; once the provider was started; once it had taken the turn. The moment may pass unseen: the run is then
  /// cancelled after two seconds.
  enum class Cancel { never, when_started, when_taken } cancel = Cancel::never;
};

/// What could be seen of a run from outside the driver.
struct RunSeen {
  std::optional<Result> result;  ///< of a good run, or inside the RunError
  std::optional<errc> code;      ///< unset: the run was good
  std::string reason, text;
  bool entered = false;  ///< it failed after the driver was entered
  std::optional<InputErrorFields> input;
  std::vector<Event> events;
  WatchCounts counts;  ///< from before the agent was made until the run had ended
  std::vector<Capture> captures;
  std::size_t starts = 0;
  std::string run_token;     ///< part of every run-directory path, and of nothing else
  std::string driver_token;  ///< part of the paths of the driver's own files there: these the provider may know
  std::filesystem::path run_base;

  bool good() const noexcept { return !code; }
  /// "good", or the class and reason of the failure.
  std::string outcome() const;
  /// The turns of all captures.
  std::vector<CapturedTurn> turns() const;
};

/// The plugin under test in this process, loaded by core. Throws LoadError.
Driver load_driver(const JobContext& context);
/// One run through core on an agent of its own; what the provider saw is the caller's to add. `cancel_now`: when it
/// holds, or after two seconds, the run is cancelled; empty: never. Never throws for what the run does.
RunSeen run_agent(JobContext& context, const Driver& driver, AgentOptions options, const RunPlan& plan,
                  const std::function<bool()>& cancel_now = {});

/// The driver in this process, loaded by core.
class Bench {
 public:
  /// Throws LoadError.
  explicit Bench(JobContext& context);
  /// Never throws for what the run does; throws std::exception for faults of the kit.
  RunSeen run(const RunPlan& plan);
  const Driver& driver() const noexcept { return driver_; }

 private:
  JobContext& context_;
  Driver driver_;
};

/// With all that is known of it declared.
input::Input as_input(const Canary& canary);

/// Whether what is left under a folder, or in a text, holds a mark or a token in any form.
bool text_holds(JobContext& context, const std::string& text, const std::string& mark);
/// Regular files below a folder.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace attache::conformance
