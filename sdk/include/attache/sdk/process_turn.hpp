// SPDX-License-Identifier: Apache-2.0
// One turn with a provider that is a process of its own: a frame in, JSON lines out, every ending told truthfully.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// \since 0.1
struct TurnHandlers {
  /// Each frame the process writes; returns true when the turn is over, and is not called again. Required.
  std::function<bool(Frame&)> on_frame;
  /// Standard error as it comes; not necessarily UTF-8. Without it, and once the turn is over, dropped.
  std::function<void(std::string_view)> on_stderr;
};

/// \since 0.1
struct TurnOptions {
  JsonLines::Limits lines;
  std::chrono::milliseconds exit_grace{2000};  ///< for the process to leave by itself once the turn is over
  std::chrono::milliseconds stop_grace{250};   ///< for each step of ending it in any other case
  /// Index of the input behind each slot of the frame; empty: the slots are the request's inputs in order. \since 0.2
  std::vector<std::uint32_t> slots = {};
};

/// The slot for an input's bytes: `frame.add(slot_of(input))`.
/// \since 0.1
FrameSlot slot_of(const Input& input, Encoding encoding = Encoding::base64);

/// Starts the process, writes `frame` while reading its output, keeps its input open until on_frame said that the
/// turn is over, then ends it. Tells the run's delivery state: not_delivered before the start, indeterminate before
/// the first byte, delivered when the pipe took the last one. Follows the request's deadline and idle limit and the
/// run's cancellation. Tells the host the process group (Run::process_group()), which is gone when this returns or
/// throws.
///
/// Throws Failure:
///  - what require_declared() throws, before anything is started;
///  - launch_failed: the reasons of SpawnError; `exited_at_once` when it ended before any of the turn was written;
///  - provider_failed: `no_result` when it ended before the turn was over, with the exit code; `turn_not_read` when
///    the turn was over without having been read; `frame_too_long`;
///  - timeout: `deadline`, `idle`; cancelled;
///  - contract, or invalid `text_not_utf8`, for a file that is not what the request said: see frame_failure().
/// Exceptions of the handlers pass, so a frame that says no is best answered by throwing from on_frame.
/// \since 0.1
ExitStatus run_process_turn(const Request& request, Run& run, const SpawnOptions& spawn, const JsonFrame& frame,
                            const TurnHandlers& handlers, const TurnOptions& options = {});

/// The Failure for a FrameError. The input is the one at the frame's slot: slots are the request's inputs in order.
/// \since 0.1
Failure frame_failure(const FrameError& error, const Request& request);

}  // namespace attache::sdk
