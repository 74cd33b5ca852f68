// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <memory>
#include <optional>

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
#include "server.hpp"
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

/// Handshake and thread, as far as the server is not there yet. Nothing of the turn leaves.
void open_thread(const sdk::Request& request, RpcTurn& codex, const ThreadCall& call, const std::string& directory,
                 bool may_stay, Server& server) {
  const bool begun = server.version == Version{} && server.thread.id.empty();
  std::uint64_t hello = 0, opened = 0;
  if (begun) {
    hello = codex.post("initialize", initialize_params(call.fresh() && !may_stay));
    codex.notify("initialized");
  }
  const bool list = has_media(request) && server.models.empty();
  const std::uint64_t listed = list ? codex.post("model/list", model_list_params()) : 0;
  if (begun || call.fork()) opened = codex.post(call.method(), call.params(directory));
  if (begun) server.version = version_of(parse(good(codex.reply_to(hello)).body));
  if (list) server.models = list_models(codex, listed);
  if (opened != 0) {
    server.thread = call.opened(codex.reply_to(opened));
    server.raw_items = call.fresh();
  }
  if (has_media(request)) require_modalities(request, find(server.models, server.thread.model));
}

void take_turn(sdk::Run& run, RpcTurn& codex, const ThreadCall& call, TurnInput input, const Server& server,
               Turn& turn) {
  run.started(server.thread.model, "codex " + sdk::to_string(server.version));
  if (server.version < kOldestTested || server.version > kNewestTested) {
    run.notice("untested_version", "this version of codex is outside of the range that was tested");
  }
  const std::string& thread = server.thread.id;
  turn.begin(thread, {}, server.raw_items);
  const RpcMessage begun =
      codex.deliver("turn/start", call.turn_params(thread, input.items), std::move(input.payload), input.slots);
  const std::string turn_id = text(member(parse(good(begun).body), "turn"), "id");
  turn.begin(thread, turn_id, server.raw_items);
  const nlohmann::ordered_json both{{"threadId", thread}, {"turnId", turn_id}};
  codex.on_stop(sdk::RpcStop{"turn/interrupt", both.dump(), false, "turn/completed"});
  codex.wait([&] { return turn.over(); });
  codex.on_stop({});
}

/// After the turn: what it left, and the process, for a later turn or ended.
void close_turn(const sdk::Request& request, RpcTurn& codex, bool may_stay, Server& server, Turn& turn) {
  const bool recorded = !server.raw_items && !request.inputs().empty();
  const auto read = [&] {
    read_rollout(server.thread.rollout, turn.id(),
                 [&](const Json& message, const sdk::Frame& frame) { turn.prepared(message, frame); });
  };
  if (recorded && may_stay) read();
  if (may_stay && (!recorded || turn.shown())) {
    server.process = codex.release();
    return;
  }
  codex.finish();
  // What the CLI had not written yet it has written now.
  if (recorded && !turn.shown()) read();
}

}  // namespace

void CodexDriver::run(const sdk::Request& request, sdk::Run& run) {
  run.not_delivered();
  sdk::require_declared(request, run.descriptor());
  admit(request);
  const ThreadCall call(config_, request);
  TurnInput input = build_input(request);
  const bool may_stay = residents_.on() && !request.thread().empty();
  const std::string workspace(request.workspace());
  std::shared_ptr<Server> server =
      may_stay ? residents_.take(request.thread(), signature(workspace, request.checkpoint())) : nullptr;
  if (server == nullptr || !server->waits()) {
    server = std::make_shared<Server>();
    may_stay ? server->scratch.emplace("codex") : server->scratch.emplace(run, "codex");
  }
  const std::string directory = workspace.empty() ? server->scratch->path() : workspace;
  Turn turn(request, run);
  sdk::StderrTail stderr_tail;
  sdk::RpcHandlers handlers;
  handlers.on_notification = [&](const RpcMessage& message) { turn.take(message); };
  handlers.on_request = [&](const RpcMessage& message) { return Turn::answer(message, run); };
  handlers.on_stderr = [&](std::string_view chunk) { stderr_tail.take(chunk); };
  handlers.on_noise = [&] { turn.noise(); };
  const sdk::RpcTurnOptions options = turn_options();
  try {
    std::optional<RpcTurn> codex;
    if (server->process != nullptr) {
      codex.emplace(request, run, std::move(server->process), std::move(handlers), options);
    } else {
      codex.emplace(request, run, command_line(config_, directory, server->scratch->path()), std::move(handlers),
                    options);
    }
    open_thread(request, *codex, call, directory, may_stay, *server);
    take_turn(run, *codex, call, std::move(input), *server, turn);
    close_turn(request, *codex, may_stay, *server, turn);
    turn.settle();
  } catch (const Failure&) {
    if (!run.cancelled()) stderr_tail.report(run);
    throw;
  }
  stderr_tail.report(run);
  if (call.ephemeral()) return;
  const std::string checkpoint = checkpoint_of(server->thread, turn.id());
  run.checkpoint(checkpoint);
  if (server->waits()) residents_.keep(std::string(request.thread()), signature(workspace, checkpoint), server);
}

sdk::RpcTurnOptions CodexDriver::turn_options() const {
  sdk::RpcTurnOptions out;
  out.rpc.lines = kLines;
  out.rpc.version_member = false;
  return out;
}

std::string CodexDriver::inspect() {
  return codex::inspect(config_);
}

}  // namespace attache::codex

ATTACHE_DRIVER(attache::codex::CodexDriver)
