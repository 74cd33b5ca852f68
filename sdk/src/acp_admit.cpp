// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include <attache/sdk/acp.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/process_turn.hpp>

#include "acp_session.hpp"

namespace attache::sdk {
namespace {

[[noreturn]] void refuse(const char* reason, const char* text) {
  throw Failure(Status::invalid, reason, text);
}

/// "/compact", "/review now": agents run these themselves, and what comes with them is lost. A path has a second slash.
bool is_command(std::string_view prompt) {
  const std::size_t begin = prompt.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || prompt[begin] != '/') return false;
  std::string_view word = prompt.substr(begin + 1);
  word = word.substr(0, word.find_first_of(" \t\r\n"));
  return !word.empty() && word.find('/') == std::string_view::npos;
}

/// A text resource is no text where the file is none: known before anything is started.
void require_text(const Request& request, const Input& input) {
  JsonFrame frame;
  frame.set_document("[\"" + frame.add(slot_of(input, Encoding::text)) + "\"]");
  try {
    frame.encoded_size();
  } catch (const FrameError& error) {
    Failure failure = frame_failure(error, request);
    throw failure.input(input.index());
  }
}

}  // namespace

void acp_admit(const Request& request) {
  if (request.fork()) refuse("fork_unsupported", "this driver does not fork sessions");
  if (!request.history().empty()) refuse("history_unsupported", "this driver takes no history");
  if (!request.output_schema().empty()) refuse("output_schema_unsupported", "this driver takes no output schema");
  if (!request.options().empty() && request.options() != "{}") {
    refuse("options_unsupported", "this driver has no per-run options");
  }
  if (request.prompt().empty() && request.inputs().empty()) {
    refuse("nothing_to_send", "the turn has neither prompt nor inputs");
  }
  if (is_command(request.prompt())) {
    refuse("slash_command", "an agent would take the prompt as a command to itself");
  }
  acp::session_of(request.checkpoint());
  for (const Input input : request.inputs()) {
    if (input.exact()) {
      throw Failure(Status::invalid, "exact_impossible", "the protocol does not show what the agent makes of an input")
          .input(input.index());
    }
    const bool embedded = input.mode() == Mode::native;
    if (embedded && acp_block(input.kind(), input.media_type()) == AcpBlock::text_resource)
      require_text(request, input);
  }
}

}  // namespace attache::sdk
