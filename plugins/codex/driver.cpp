// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/declared.hpp>
#include <attache/sdk/rpc_turn.hpp>
#include <attache/sdk/scratch.hpp>
#include <attache/sdk/stderr_tail.hpp>

#include "admission.hpp"
#include "command_line.hpp"
#include "handshake.hpp"
#include "inspection.hpp"
#include "models.hpp"
#include "rollout.hpp"
#include "thread_call.hpp"
#include "turn.hpp"
#include "turn_input.hpp"
#include "verdict.hpp"

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::RpcMessage;
using sdk::RpcTurn;
using sdk::Status;

/// Answers stand in a single string, so strings of a size that answers reach are kept.
constexpr sdk::JsonLines::Limits kLines{
    .string_bytes = 256 * 1024, .frame_bytes = 32 * 1024 * 1024, .hash_base64_text = false};

const RpcMessage& good(const RpcMessage& reply) {
  if (reply.error) throw call_failure(reply);
  return reply;
}

bool has_media(const sdk::Request& request) {
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() == sdk::Mode::native) return true;
  }
  return false;
}

/// The CLI swaps what the model does not take for a sentence, after it has shown the media as prepared: only the live
/// list tells. A model that it does not know gets images and no audio.
void require_modalities(const sdk::Request& request, const Model* model) {
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() != sdk::Mode::native) continue;
    const bool image = input.kind() == sdk::Kind::image;
    const bool taken = model == nullptr ? image : (image ? model->image : model->audio);
    if (!taken) {
      throw Failure(Status::unsupported_kind, "model_without_modality", "the model does not take inputs of this kind")
          .input(input.index());
    }
  }
}

std::vector<Model> list_models(RpcTurn& codex, std::uint64_t first) {
  std::vector<Model> models;
  constexpr int kMostPages = 50;
  std::string cursor = read_models(parse(good(codex.reply_to(first)).body), models);
  for (int page = 1; !cursor.empty() && page < kMostPages; ++page) {
    cursor = read_models(parse(good(codex.call("model/list", model_list_params(cursor))).body), models);
  }
  return models;
}

void one_turn(const sdk::Request& request, sdk::Run& run, RpcTurn& codex, const ThreadCall& call, TurnInput input,
              Turn& turn) {
  const bool raw_items = call.fresh();
  const std::uint64_t hello = codex.post("initialize", initialize_params(raw_items));
  codex.notify("initialized");
  const std::uint64_t listed = has_media(request) ? codex.post("model/list", model_list_params()) : 0;
  const std::uint64_t opened = codex.post(call.method(), call.params());
  const Version version = version_of(parse(good(codex.reply_to(hello)).body));
  const std::vector<Model> models = listed != 0 ? list_models(codex, listed) : std::vector<Model>();
  const OpenedThread thread = call.opened(codex.reply_to(opened));
  if (listed != 0) require_modalities(request, find(models, thread.model));
  run.started(thread.model, "codex " + sdk::to_string(version));
  if (version < kOldestTested || version > kNewestTested) {
    run.notice("untested_version", "this version of codex is outside of the range that was tested");
  }
  turn.begin(thread.id, {}, raw_items);
  const RpcMessage begun =
      codex.deliver("turn/start", call.turn_params(thread.id, input.items), std::move(input.payload), input.slots);
  const std::string turn_id = text(member(parse(good(begun).body), "turn"), "id");
  turn.begin(thread.id, turn_id, raw_items);
  const nlohmann::ordered_json both{{"threadId", thread.id}, {"turnId", turn_id}};
  codex.on_stop(sdk::RpcStop{"turn/interrupt", both.dump(), false, "turn/completed"});
  codex.wait([&] { return turn.over(); });
  codex.on_stop({});
  codex.finish();
  if (!raw_items && !request.inputs().empty()) {
    read_rollout(thread.rollout, turn_id,
                 [&](const Json& message, const sdk::Frame& frame) { turn.prepared(message, frame); });
  }
  turn.settle();
  if (!call.ephemeral()) run.checkpoint(nlohmann::ordered_json{{"thread", thread.id}}.dump());
}

}  // namespace

void CodexDriver::run(const sdk::Request& request, sdk::Run& run) {
  run.not_delivered();
  sdk::require_declared(request, run.descriptor());
  admit(request);
  const sdk::Scratch scratch(run, "codex");
  const std::string directory = request.workspace().empty() ? scratch.path() : std::string(request.workspace());
  const ThreadCall call(config_, request, directory);
  TurnInput input = build_input(request);
  Turn turn(request, run);
  sdk::StderrTail stderr_tail;
  sdk::RpcHandlers handlers;
  handlers.on_notification = [&](const RpcMessage& message) { turn.take(message); };
  handlers.on_request = [&](const RpcMessage& message) { return Turn::answer(message, run); };
  handlers.on_stderr = [&](std::string_view chunk) { stderr_tail.take(chunk); };
  handlers.on_noise = [&] { turn.noise(); };
  sdk::RpcTurnOptions options;
  options.rpc.lines = kLines;
  options.rpc.version_member = false;
  try {
    RpcTurn codex(request, run, command_line(config_, directory, scratch.path()), std::move(handlers), options);
    one_turn(request, run, codex, call, std::move(input), turn);
  } catch (const Failure&) {
    if (!run.cancelled()) stderr_tail.report(run);
    throw;
  }
  stderr_tail.report(run);
}

std::string CodexDriver::inspect() {
  return codex::inspect(config_);
}

}  // namespace attache::codex

ATTACHE_DRIVER(attache::codex::CodexDriver)
