// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include "limits.hpp"

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Kind;
using sdk::Status;

void admit(const sdk::Input& input) {
  if (input.kind() == Kind::audio && input.size() > kMaxAudioBytes) {
    throw Failure(Status::too_large, "size_limit", "the audio is over the limit of codex")
        .input(input.index())
        .limit(kMaxAudioBytes);
  }
  if (input.exact() && input.media_type() == "image/gif") {
    throw Failure(Status::invalid, "exact_impossible", "codex re-encodes every GIF").input(input.index());
  }
  if (input.exact() && input.kind() == Kind::file) {
    throw Failure(Status::invalid, "exact_impossible", "codex does not show what it read of a file")
        .input(input.index());
  }
}

}  // namespace

void admit(const sdk::Request& request) {
  if (request.fork() && request.checkpoint().empty()) {
    throw Failure(Status::invalid, "fork_of_nothing", "there is no checkpoint to fork");
  }
  if (!request.history().empty()) {
    throw Failure(Status::invalid, "history_unsupported", "this driver takes no history");
  }
  if (!request.options().empty() && request.options() != "{}") {
    throw Failure(Status::invalid, "options_unsupported", "this driver has no per-run options");
  }
  if (request.forbid_retention() && !(request.thread().empty() && request.checkpoint().empty())) {
    throw Failure(Status::invalid, "retention_needed", "codex keeps the inputs of a thread");
  }
  if (request.prompt().empty() && request.inputs().empty()) {
    throw Failure(Status::invalid, "nothing_to_send", "the turn has neither prompt nor inputs");
  }
  for (const sdk::Input input : request.inputs()) admit(input);
}

}  // namespace attache::codex
