// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <attache/sdk/declared.hpp>
#include <attache/sdk/process_turn.hpp>
#include <attache/sdk/scratch.hpp>
#include <attache/sdk/stderr_tail.hpp>

#include "admission.hpp"
#include "command_line.hpp"
#include "frame.hpp"
#include "session.hpp"
#include "turn.hpp"

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

/// Answers stand in a single string, so strings of a size that answers reach are kept.
constexpr sdk::JsonLines::Limits kLines{
    .string_bytes = 256 * 1024, .frame_bytes = 32 * 1024 * 1024, .hash_base64_text = false};

}  // namespace

Version CodebuddyDriver::version(const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (version_) return *version_;
  }
  const Version found = ask_version(config_, stop);
  const std::lock_guard lock(mutex_);
  return version_.emplace(found);
}

std::vector<Model> CodebuddyDriver::models(const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (models_) return *models_;
  }
  std::vector<Model> found = ask_models(config_, stop);
  const std::lock_guard lock(mutex_);
  return models_.emplace(std::move(found));
}

/// For a model that does not take images the CLI removes them without a sign.
void CodebuddyDriver::require_images(const sdk::Request& request, const sdk::Run& run) {
  for (const sdk::Input input : request.inputs()) {
    if (input.kind() != sdk::Kind::image) continue;
    if (takes_images(models(run.stop_token()), config_.model)) return;
    throw Failure(Status::unsupported_kind, "model_without_modality", "the model does not take inputs of this kind")
        .input(input.index());
  }
}

std::optional<Version> CodebuddyDriver::known_version() {
  const std::lock_guard lock(mutex_);
  return version_;
}

void CodebuddyDriver::run(const sdk::Request& request, sdk::Run& run) {
  run.not_delivered();
  sdk::require_declared(request, run.descriptor());
  const Session session = session_of(request, config_);
  const sdk::Scratch scratch(run, "codebuddy");
  const std::string directory = request.workspace().empty() ? scratch.path() : std::string(request.workspace());
  admit(request, config_, directory, home_of(config_, scratch.path()));
  const UserFrame frame = build_frame(request);
  require_images(request, run);
  const sdk::SpawnOptions command = command_line(config_, request, session, directory, scratch.path());
  Turn turn(request, run, session, known_version());
  sdk::StderrTail stderr_tail;
  sdk::TurnHandlers handlers;
  handlers.on_frame = [&](sdk::Frame& one) { return turn.take(one); };
  handlers.on_stderr = [&](std::string_view chunk) { stderr_tail.take(chunk); };
  sdk::TurnOptions options;
  options.lines = kLines;
  options.slots = frame.slots;
  try {
    sdk::run_process_turn(request, run, command, frame.line, handlers, options);
  } catch (const Failure&) {
    if (!run.cancelled()) stderr_tail.report(run);
    throw;
  }
  stderr_tail.report(run);
}

std::string CodebuddyDriver::inspect() {
  return inspection_of(version(), models(), config_);
}

}  // namespace attache::codebuddy

ATTACHE_DRIVER(attache::codebuddy::CodebuddyDriver)
