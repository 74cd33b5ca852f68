// SPDX-License-Identifier: Apache-2.0
#include "acp_updates.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_access.hpp>
#include <attache/sdk/transcript.hpp>

namespace attache::sdk::acp {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRemoved = "[removed: longer than a driver keeps]";

std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string kept(const Json& value, const Frame& frame) {
  if (!value.is_string()) return {};
  const auto& whole = value.get_ref<const std::string&>();
  return frame.find(whole) == nullptr ? whole : kRemoved;
}

/// The texts of a tool call's content: of blocks, and the paths of changes.
std::string text_of(const Json& content, const Frame& frame) {
  std::string out;
  if (!content.is_array()) return out;
  for (const Json& one : content) out += kept(member(member(one, "content"), "text"), frame);
  return out;
}

std::string option_of(const Json& options, const char* kind) {
  if (!options.is_array()) return {};
  for (const Json& one : options) {
    if (text(one, "kind") == kind) return text(one, "optionId");
  }
  return {};
}

bool is_replay(const std::string& type) {
  return type == "user_message_chunk" || type == "agent_message_chunk";
}

}  // namespace

void Updates::take(const RpcMessage& notification) {
  if (notification.method != "session/update") return;
  const Json params = parse_json<Json>(notification.body).value_or(Json());
  const Json& update = member(params, "update");
  const std::string type = text(update, "sessionUpdate");
  if (session_.empty()) {
    replayed_ += is_replay(type) ? 1 : 0;
    return;
  }
  if (text(params, "sessionId") != session_) return;
  const Frame& frame = notification.frame;
  if (type == "agent_message_chunk") return message(member(update, "content"), frame, false);
  if (type == "agent_thought_chunk") return message(member(update, "content"), frame, true);
  if (type == "tool_call") return tool(update, frame, true);
  if (type == "tool_call_update") return tool(update, frame, false);
  if (type == "plan") return record(update, frame);
  if (type == "usage_update") {
    Json usage = update;
    usage.erase("sessionUpdate");
    usage_ = without_media(line(usage), frame);
  }
}

void Updates::message(const Json& content, const Frame& frame, bool thought) {
  const Json& piece = member(content, "text");
  if (text(content, "type") != "text" || !piece.is_string()) {
    return record({{"sessionUpdate", thought ? "agent_thought_chunk" : "agent_message_chunk"}, {"content", content}},
                  frame);
  }
  const auto& said = piece.get_ref<const std::string&>();
  const bool lost = frame.find(said) != nullptr;
  if (thought) {
    run_.reasoning(lost ? kRemoved : said);
  } else if (lost) {
    answer_lost_ = true;
  } else if (!said.empty()) {
    run_.text(said);
  }
}

/// A call may come without its input and be told of once more, with it: it is reported when it first comes.
void Updates::tool(const Json& update, const Frame& frame, bool fresh) {
  const std::string id = text(update, "toolCallId");
  if (id.empty()) return;
  if (called_.insert(id).second) {
    const Json& input = member(update, "rawInput");
    std::string name = kept(member(update, "title"), frame);
    if (name.empty()) name = text(update, "kind");
    const Json arguments = input.is_object() || input.is_null() ? input : Json{{"input", input}};
    run_.tool_call(id, name.empty() ? "tool" : name,
                   arguments.is_null() ? "{}" : without_media(line(arguments), frame));
  }
  const std::string status = text(update, "status");
  const bool failed = status == "failed";
  if (!failed && status != "completed") {
    if (fresh) record(update, frame);
    return;
  }
  if (!finished_.insert(id).second) return;
  run_.tool_result(id, text_of(member(update, "content"), frame), failed);
  record(update, frame);
}

void Updates::record(const Json& update, const Frame& frame) {
  run_.transcript(without_media(line(update), frame));
}

RpcAnswer Updates::answer(const RpcMessage& request) {
  if (request.method == "session/request_permission") return permission(request);
  run_.notice("request_declined", "the agent asked for something that this driver declines");
  return {};
}

/// Nobody is there to be asked: the agent's configuration is.
RpcAnswer Updates::permission(const RpcMessage& request) {
  const Json params = parse_json<Json>(request.body).value_or(Json());
  const Json& options = member(params, "options");
  std::string chosen;
  for (const char* kind : {"allow_once", "allow_always"}) {
    if (allow_ && chosen.empty()) chosen = option_of(options, kind);
  }
  const bool allowed = !chosen.empty();
  for (const char* kind : {"reject_once", "reject_always"}) {
    if (chosen.empty()) chosen = option_of(options, kind);
  }
  refused_ = refused_ || !allowed;
  allowed ? run_.notice("permission_allowed", "the agent asked for a permission and got it for this once")
          : run_.notice("permission_refused", "the agent asked for a permission and did not get it");
  RpcAnswer out;
  out.result = chosen.empty() ? R"({"outcome":{"outcome":"cancelled"}})"
                              : line({{"outcome", {{"outcome", "selected"}, {"optionId", chosen}}}});
  return out;
}

void Updates::noise() {
  if (!std::exchange(noise_told_, true)) {
    run_.notice("unreadable_frame", "the agent wrote a line that is not a message");
  }
}

void Updates::settle(const std::string& result) {
  const Json usage = member(parse_json<Json>(result).value_or(Json()), "usage");
  if (usage.is_object()) usage_ = line(usage);
  if (!usage_.empty()) run_.usage(usage_);
}

void Updates::require_whole() const {
  if (answer_lost_) {
    throw Failure(Status::provider_failed, "answer_too_long", "the answer is longer than a driver keeps");
  }
}

}  // namespace attache::sdk::acp
