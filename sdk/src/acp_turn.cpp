// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/acp.hpp>
#include <attache/sdk/declared.hpp>
#include <attache/sdk/rpc_turn.hpp>
#include <attache/sdk/stderr_tail.hpp>

#include "acp_calls.hpp"
#include "acp_prompt.hpp"
#include "acp_session.hpp"
#include "acp_updates.hpp"
#include "acp_verdict.hpp"

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

/// Answers of tools stand in a single string, so strings of a size that they reach are kept.
constexpr JsonLines::Limits kLines{
    .string_bytes = 256 * 1024, .frame_bytes = 32 * 1024 * 1024, .hash_base64_text = false};
/// Some agents do not leave when their input ends.
constexpr std::chrono::milliseconds kExitGrace{500};

void require_capabilities(const Request& request, const AcpAgent& agent) {
  for (const Input input : request.inputs()) {
    if (input.mode() != Mode::native) continue;
    if (!acp_takes(agent, acp_block(input.kind(), input.media_type()))) {
      throw Failure(Status::unsupported_kind, "capability_missing", "the agent takes no blocks of this kind")
          .input(input.index());
    }
  }
}

std::string prompt_params(const std::string& session, const std::string& blocks) {
  std::string out = Json{{"sessionId", session}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  out.pop_back();
  return out + ",\"prompt\":" + blocks + "}";
}

void one_turn(const Request& request, Run& run, RpcTurn& agent, acp::Updates& updates, acp::Prompt prompt,
              const acp::SessionPlan& plan) {
  const AcpAgent who = acp::initialized(agent.call("initialize", acp::initialize_params()));
  require_capabilities(request, who);
  const bool keeps = !request.thread().empty() || !plan.resumed.empty();
  if (keeps && !who.load_session) {
    throw Failure(Status::resume_rejected, "resume_unsupported", "the agent does not load sessions");
  }
  run.started(plan.options.model, who.version.empty() ? who.name : who.name + " " + who.version);
  const acp::SessionCalls calls{
      [&](const char* method, const std::string& params) { return agent.call(method, params); },
      [&] { return updates.replayed(); }};
  const std::string session = acp::open_session(who, plan, calls);
  updates.begin(session);
  const Json stop{{"sessionId", session}};
  agent.on_stop(RpcStop{"session/cancel", stop.dump(-1, ' ', false, Json::error_handler_t::replace), true, {}});
  const RpcMessage reply =
      agent.deliver("session/prompt", prompt_params(session, prompt.blocks), std::move(prompt.payload), prompt.slots);
  agent.on_stop({});
  const auto failure = acp::turn_failure(reply, updates.refused());
  agent.finish();
  for (const Input input : request.inputs()) run.receipt(input, Receipt::unknown);
  updates.settle(reply.body);
  if (failure) throw *failure;
  updates.require_whole();
  if (keeps) run.checkpoint(Json{{"session", session}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void run_acp_turn(const Request& request, Run& run, const SpawnOptions& spawn, const std::string& directory,
                  const AcpOptions& options) {
  run.not_delivered();
  require_declared(request, run.descriptor());
  acp_admit(request);
  const acp::SessionPlan plan{acp::session_of(request.checkpoint()), directory, options};
  acp::Prompt prompt = acp::build_prompt(request);
  acp::Updates updates(run, options.allow_permissions);
  StderrTail stderr_tail;
  RpcHandlers handlers;
  handlers.on_notification = [&](const RpcMessage& message) { updates.take(message); };
  handlers.on_request = [&](const RpcMessage& message) { return updates.answer(message); };
  handlers.on_stderr = [&](std::string_view chunk) { stderr_tail.take(chunk); };
  handlers.on_noise = [&] { updates.noise(); };
  RpcTurnOptions turn;
  turn.rpc.lines = kLines;
  turn.exit_grace = kExitGrace;
  try {
    RpcTurn agent(request, run, spawn, std::move(handlers), turn);
    one_turn(request, run, agent, updates, std::move(prompt), plan);
  } catch (const Failure&) {
    if (!run.cancelled()) stderr_tail.report(run);
    throw;
  }
  stderr_tail.report(run);
}

}  // namespace attache::sdk
