// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <attache/sdk/json_rpc.hpp>

#include "acp_calls.hpp"

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

AcpBlock acp_block(Kind kind, std::string_view media_type) noexcept {
  if (kind == Kind::image) return AcpBlock::image;
  if (kind == Kind::audio) return AcpBlock::audio;
  if (kind != Kind::file) return AcpBlock::none;
  const bool text = media_type.substr(0, 5) == "text/" || media_type == "application/json";
  return text ? AcpBlock::text_resource : AcpBlock::blob_resource;
}

bool acp_takes(const AcpAgent& agent, AcpBlock block) noexcept {
  switch (block) {
    case AcpBlock::image:
      return agent.image;
    case AcpBlock::audio:
      return agent.audio;
    case AcpBlock::text_resource:
    case AcpBlock::blob_resource:
      return agent.embedded_context;
    case AcpBlock::none:
      return false;
  }
  return false;
}

AcpAgent read_acp_agent(const std::string& initialized) {
  const Json reply = parse_json<Json>(initialized).value_or(Json());
  const Json& capabilities = member(reply, "agentCapabilities");
  const Json& prompt = member(capabilities, "promptCapabilities");
  AcpAgent out;
  out.protocol = number(reply, "protocolVersion");
  out.name = text(member(reply, "agentInfo"), "name");
  out.version = text(member(reply, "agentInfo"), "version");
  out.image = flag(prompt, "image");
  out.audio = flag(prompt, "audio");
  out.embedded_context = flag(prompt, "embeddedContext");
  out.load_session = flag(capabilities, "loadSession");
  const Json& methods = member(reply, "authMethods");
  if (methods.is_array()) {
    for (const Json& one : methods) {
      if (std::string id = text(one, "id"); !id.empty()) out.auth_methods.push_back(std::move(id));
    }
  }
  return out;
}

namespace acp {

std::string initialize_params() {
  // Without the second an agent of that name puts what an @path of the user's text names into the prompt.
  return Json{{"protocolVersion", kAcpVersion},
              {"clientCapabilities",
               {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}},
                {"terminal", false},
                {"_meta", {{"codebuddy.ai", {{"fileReferencesPathOnly", true}}}}}}},
              {"clientInfo", {{"name", "attache"}, {"title", "Attache"}, {"version", "0.1.0"}}}}
      .dump();
}

AcpAgent initialized(const RpcMessage& reply) {
  if (reply.error) throw call_failure(reply);
  AcpAgent out = read_acp_agent(reply.body);
  if (out.protocol != kAcpVersion) {
    throw Failure(Status::provider_failed, "protocol_version", "the agent speaks another version of its protocol");
  }
  return out;
}

Failure call_failure(const RpcMessage& reply) {
  constexpr std::int64_t authentication_required = -32000;
  const Json error = parse_json<Json>(reply.body).value_or(Json());
  const Json& code = member(error, "code");
  if (code.is_number_integer() && code.get<std::int64_t>() == authentication_required) {
    return {Status::provider_refused, "not_logged_in", "the agent is not logged in"};
  }
  return {Status::provider_refused, "call_refused", "the agent refused a call of its protocol"};
}

}  // namespace acp

AcpAgent ask_acp_agent(const SpawnOptions& spawn, std::chrono::milliseconds patience) {
  try {
    ChildProcess process = ChildProcess::spawn(spawn);
    RpcPeer agent(process, {});
    ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + patience;
    agent.set_limits(limits);
    AcpAgent out = acp::initialized(agent.call("initialize", acp::initialize_params()));
    process.end(std::chrono::milliseconds(250));
    return out;
  } catch (const SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the agent could not be started");
  } catch (const RpcInterrupted& end) {
    if (end.why() == PumpEnd::deadline) {
      throw Failure(Status::timeout, "deadline", "the agent did not answer in time");
    }
    throw Failure(Status::provider_failed, "ended_early", "the agent ended before it had answered");
  }
}

}  // namespace attache::sdk
