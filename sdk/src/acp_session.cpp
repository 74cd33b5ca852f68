// SPDX-License-Identifier: Apache-2.0
#include "acp_session.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "acp_calls.hpp"

namespace attache::sdk::acp {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json good(const RpcMessage& reply) {
  if (reply.error) throw call_failure(reply);
  return parse_json<Json>(reply.body).value_or(Json());
}

void authenticate(const AcpAgent& agent, const std::string& method, const SessionCalls& calls) {
  if (method.empty()) return;
  const auto& offered = agent.auth_methods;
  if (std::find(offered.begin(), offered.end(), method) == offered.end()) {
    throw Failure(Status::provider_refused, "auth_method_unknown", "the agent does not offer that authentication");
  }
  const RpcMessage reply = calls.call("authenticate", line({{"methodId", method}}));
  if (reply.error) throw Failure(Status::provider_refused, "not_logged_in", "the agent could not be authenticated");
}

/// Whether an array has an element whose `key` is `value`.
bool has(const Json& array, const char* key, const std::string& value) {
  return array.is_array() &&
         std::any_of(array.begin(), array.end(), [&](const Json& one) { return text(one, key) == value; });
}

/// Values of an option may stand in groups.
bool offers(const Json& options, const std::string& value) {
  if (has(options, "value", value)) return true;
  return options.is_array() && std::any_of(options.begin(), options.end(), [&](const Json& group) {
           return has(member(group, "options"), "value", value);
         });
}

/// The session's setting of a category ("mode", "model"), where it offers the value: its id, else empty.
std::string setting(const Json& opened, const char* category, const std::string& value) {
  const Json& settings = member(opened, "configOptions");
  if (!settings.is_array()) return {};
  for (const Json& one : settings) {
    const bool about = text(one, "category") == category || text(one, "id") == category;
    if (about && offers(member(one, "options"), value)) return text(one, "id");
  }
  return {};
}

/// The earlier call for one of these, with the list the agent offers.
struct Call {
  const char *category, *list, *available, *id, *method, *param, *reason;
};
constexpr Call kMode{"mode", "modes", "availableModes", "id", "session/set_mode", "modeId", "mode_unknown"};
constexpr Call kModel{"model", "models", "availableModels", "modelId", "session/set_model", "modelId", "model_unknown"};

void choose(const Json& opened, const std::string& session, const Call& what, const std::string& value,
            const SessionCalls& calls) {
  if (value.empty()) return;
  if (const std::string id = setting(opened, what.category, value); !id.empty()) {
    good(calls.call("session/set_config_option", line({{"sessionId", session}, {"configId", id}, {"value", value}})));
  } else if (has(member(member(opened, what.list), what.available), what.id, value)) {
    good(calls.call(what.method, line({{"sessionId", session}, {what.param, value}})));
  } else {
    throw Failure(Status::provider_refused, what.reason, "the agent does not offer the mode or model asked for");
  }
}

Failure unknown_session() {
  return {Status::resume_rejected, "unknown_session", "the agent does not have the session of the checkpoint"};
}

/// An agent that does not know the session may open an empty one in its place: what it replays tells.
Json load(const AcpAgent& agent, const SessionPlan& plan, const Json& params, const SessionCalls& calls) {
  if (!agent.load_session) {
    throw Failure(Status::resume_rejected, "resume_unsupported", "the agent does not load sessions");
  }
  const std::uint64_t before = calls.replayed();
  const RpcMessage reply = calls.call("session/load", line(params));
  if (reply.error) {
    Failure failure = call_failure(reply);
    throw failure.reason() == "not_logged_in" ? failure : unknown_session();
  }
  if (calls.replayed() == before) throw unknown_session();
  Json out = good(reply);
  if (!out.is_object()) out = Json::object();
  out["sessionId"] = plan.resumed;
  return out;
}

}  // namespace

std::string session_of(std::string_view checkpoint) {
  if (checkpoint.empty()) return {};
  std::string out = text(parse_json<Json>(std::string(checkpoint)).value_or(Json()), "session");
  if (out.empty()) {
    throw Failure(Status::resume_rejected, "checkpoint_invalid", "the checkpoint names no session");
  }
  return out;
}

std::string open_session(const AcpAgent& agent, const SessionPlan& plan, const SessionCalls& calls) {
  authenticate(agent, plan.options.auth_method, calls);
  Json params{{"cwd", plan.directory}, {"mcpServers", Json::array()}};
  Json opened;
  if (plan.resumed.empty()) {
    opened = good(calls.call("session/new", line(params)));
  } else {
    params["sessionId"] = plan.resumed;
    opened = load(agent, plan, params, calls);
  }
  std::string session = text(opened, "sessionId");
  if (session.empty()) throw Failure(Status::provider_failed, "no_session", "the agent opened no session");
  choose(opened, session, kMode, plan.options.mode, calls);
  choose(opened, session, kModel, plan.options.model, calls);
  return session;
}

}  // namespace attache::sdk::acp
