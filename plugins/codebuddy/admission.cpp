// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <attache/sdk/failure.hpp>

#include "frame.hpp"
#include "mentions.hpp"

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

void admit(const sdk::Input& input, const Config& config, const std::string& directory, const std::string& home) {
  if (input.exact()) {
    throw Failure(Status::invalid, "exact_impossible", "codebuddy does not show what it took of an input")
        .input(input.index());
  }
  if (input.mode() == sdk::Mode::workspace_reference && !config.allow_file_mentions &&
      mentions_file(reference_text(input), directory, home)) {
    throw Failure(Status::invalid, "file_mention", "codebuddy would take a part of the input's path for another file")
        .input(input.index());
  }
}

}  // namespace

void admit(const sdk::Request& request, const Config& config, const std::string& directory, const std::string& home) {
  if (!request.history().empty()) {
    throw Failure(Status::invalid, "history_unsupported", "this driver takes no history");
  }
  if (!request.output_schema().empty()) {
    throw Failure(Status::invalid, "output_schema_unsupported", "this driver takes no output schema");
  }
  if (!request.options().empty() && request.options() != "{}") {
    throw Failure(Status::invalid, "options_unsupported", "this driver has no per-run options");
  }
  const bool stays = !config.hermetic || !config.home.empty() || !config.config_dir.empty();
  if (request.forbid_retention() && (stays || !request.thread().empty() || !request.checkpoint().empty())) {
    throw Failure(
        Status::invalid, "retention_needed",
        "codebuddy keeps inputs; only a hermetic driver without home and config_dir, outside of threads, can not");
  }
  if (request.prompt().empty() && request.inputs().empty()) {
    throw Failure(Status::invalid, "nothing_to_send", "the turn has neither prompt nor inputs");
  }
  if (!config.allow_slash_commands && begins_with_command(request.prompt())) {
    throw Failure(Status::invalid, "slash_command", "codebuddy would take the prompt for a command of its own");
  }
  if (!config.allow_file_mentions && mentions_file(request.prompt(), directory, home)) {
    throw Failure(Status::invalid, "file_mention", "codebuddy would add a file that the prompt mentions after an @");
  }
  for (const sdk::Input input : request.inputs()) admit(input, config, directory, home);
}

}  // namespace attache::codebuddy
