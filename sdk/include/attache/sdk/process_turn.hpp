// SPDX-License-Identifier: Apache-2.0
// One turn with a provider that is a process of its own: a frame in, JSON lines out, every ending told truthfully.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// \since 0.1
struct TurnHandlers {
  /// Each frame the process writes; returns true when the turn is over, and is not called again. Must be set.
  std::function<bool(Frame&)> on_frame;
  /// Standard error as it comes; not necessarily UTF-8. Without it, dropped.
  std::function<void(std::string_view)> on_stderr;
};

/// \since 0.1
struct TurnOptions {
  JsonLines::Limits lines;
  std::chrono::milliseconds exit_grace{2000};  ///< for the process to leave by itself once the turn is over
  std::chrono::milliseconds stop_grace{250};   ///< for each step of ending it in any other case
};

/// How a turn ended that was not cut short by the host.
/// \since 0.1
struct TurnEnd {
  bool over = false;   ///< on_frame said so; else the process ended its output first
  WriteState written;  ///< of the frame
  ExitStatus exit;
};

/// Starts the process, writes `frame` while reading its output, keeps its input open until the turn is over, then
/// ends it. Tells the run's delivery state: not_delivered before the start, indeterminate before the first byte,
/// delivered when the pipe took the last one. Follows the request's deadline and idle limit and the run's
/// cancellation. The process group is gone when this returns or throws.
///
/// Throws Failure: launch_failed (the reasons of SpawnError), timeout (`deadline`, `idle`), cancelled,
/// provider_failed (`frame_too_long`), contract and invalid for a file that is not what the request said: the
/// reasons of FrameError, `text_not_utf8` for not_utf8, the input being the one at the frame's slot (slots are the
/// request's inputs in order). Exceptions of the handlers pass.
/// \since 0.1
TurnEnd run_process_turn(const Request& request, Run& run, const SpawnOptions& spawn, const JsonFrame& frame,
                         const TurnHandlers& handlers, const TurnOptions& options = {});

/// The Failure for an input's file, as run_process_turn() throws it.
/// \since 0.1
Failure frame_failure(const FrameError& error, const Request& request);

}  // namespace attache::sdk
