// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <algorithm>

#include <attache/sdk/declared.hpp>
#include <attache/sdk/process_turn.hpp>
#include <attache/sdk/scratch.hpp>
#include <attache/sdk/stderr_tail.hpp>

#include "admission.hpp"
#include "command_line.hpp"
#include "frame.hpp"
#include "inspection.hpp"
#include "turn.hpp"

namespace attache::claude {
namespace {

/// Answers stand in a single string, so strings of a size that answers reach are kept; the echo of a hundred images
/// just below that still fits into a frame.
constexpr sdk::JsonLines::Limits kLines{.string_bytes = 256 * 1024, .frame_bytes = 32 * 1024 * 1024};

/// Only the receipt of a text needs the digest of what the CLI shows as text.
bool has_text(const sdk::Request& request) {
  const auto inputs = request.inputs();
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const sdk::Input& input) { return block_of(input) == Block::text_document; });
}

}  // namespace

void ClaudeDriver::run(const sdk::Request& request, sdk::Run& run) {
  run.not_delivered();
  sdk::require_declared(request, run.descriptor());
  admit(request);
  const sdk::JsonFrame frame = build_frame(request, config_.system_prompt.size());
  const sdk::Scratch scratch(run, "claude");
  const sdk::SpawnOptions command = command_line(config_, std::string(request.workspace()), scratch.path());
  Turn turn(request, run);
  sdk::StderrTail stderr_tail;
  sdk::TurnHandlers handlers;
  handlers.on_frame = [&](sdk::Frame& one) { return turn.take(one); };
  handlers.on_stderr = [&](std::string_view chunk) { stderr_tail.take(chunk); };
  sdk::TurnOptions options;
  options.lines = kLines;
  options.lines.hash_base64_text = has_text(request);
  try {
    sdk::run_process_turn(request, run, command, frame, handlers, options);
  } catch (const sdk::Failure&) {
    if (!run.cancelled()) stderr_tail.report(run);
    throw;
  }
  stderr_tail.report(run);
}

std::string ClaudeDriver::inspect() {
  return claude::inspect(config_);
}

}  // namespace attache::claude

ATTACHE_DRIVER(attache::claude::ClaudeDriver)
