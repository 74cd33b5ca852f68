// SPDX-License-Identifier: Apache-2.0
#include "turn.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "transcript.hpp"
#include "verdict.hpp"

namespace attache::codex {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Arguments of a call as a JSON object: a model writes them as text.
std::string arguments_of(const Json& item, const sdk::Frame& frame) {
  const std::string written = text(item, "arguments");
  if (Json parsed = frame.find(written) == nullptr ? parse(written) : Json(); parsed.is_object()) {
    return transcript_item(parsed, frame);
  }
  for (const char* key : {"arguments", "input", "action", "query"}) {
    if (const Json& value = member(item, key); !value.is_null()) {
      return transcript_item(value.is_object() ? value : Json{{key, value}}, frame);
    }
  }
  return "{}";
}

}  // namespace

void Turn::begin(std::string thread, std::string turn, bool raw_items) {
  thread_ = std::move(thread);
  turn_ = std::move(turn);
  raw_items_ = raw_items;
}

/// A thread that goes on also tells of its earlier turns. Only turn/completed names its turn elsewhere.
bool Turn::is_ours(const Json& params) const {
  const std::string turn = text(params, "turnId");
  return text(params, "threadId") == thread_ && !turn_.empty() && (turn.empty() || turn == turn_);
}

void Turn::take(const sdk::RpcMessage& message) {
  if (over_) return;
  const Json params = parse(message.body);
  const std::string& method = message.method;
  if (method == "configWarning" || method == "deprecationNotice" || method == "warning") {
    const bool about_model = text(params, "message").rfind("Model metadata for", 0) == 0;
    if (about_model) run_.notice("model_unknown", "codex does not know the model and goes on with fallback limits");
    return;
  }
  if (method == "turn/started" && turn_.empty() && text(params, "threadId") == thread_) {
    turn_ = text(member(params, "turn"), "id");  // often before the reply that tells it
  }
  if (!is_ours(params)) return;
  if (method == "rawResponseItem/completed") return raw_item(member(params, "item"), message.frame);
  if (method == "item/completed") return item(member(params, "item"), message.frame);
  if (method == "item/agentMessage/delta") return delta(params, message.frame);
  if (method == "item/reasoning/summaryTextDelta" || method == "item/reasoning/textDelta") {
    return run_.reasoning(text_of(member(params, "delta"), message.frame));
  }
  if (method == "thread/tokenUsage/updated") return usage(member(member(params, "tokenUsage"), "last"));
  if (method == "error") return error(params);
  if (method == "model/rerouted") {
    receipts_.forget();
    return run_.notice("model_rerouted", "codex went on with another model than the one that was asked for");
  }
  if (method == "turn/completed") completed(member(params, "turn"), message.frame);
}

void Turn::raw_item(const Json& item, const sdk::Frame& frame) {
  const std::string type = text(item, "type");
  if (type == "message") return raw_message(item, frame);
  if (type == "additional_tools") return;
  if (ends_with(type, "_call_output")) {
    run_.tool_result(text(item, "call_id"), text_of(member(item, "output"), frame));
  } else if (ends_with(type, "_call")) {
    raw_call(item, type, frame);
  }
  run_.transcript(transcript_item(item, frame));
}

void Turn::raw_message(const Json& item, const sdk::Frame& frame) {
  const std::string role = text(item, "role");
  if (role == "user") {
    receipts_.prepared(item, frame);
    const Json& kinds = member(member(item, "internal_chat_message_metadata_passthrough"), "content_item_kinds");
    if (kinds.is_array() && !kinds.empty() && kinds.front() == "skills.selected_skill_instructions") {
      run_.notice("skill_added", "a word of the prompt names a skill, and codex added its instructions");
    }
  } else if (role == "assistant") {
    const Json& content = member(item, "content");
    if (content.is_array() && content.size() == 1) whole_text(text(item, "id"), text(content.front(), "text"), frame);
  } else {
    return;  // the CLI's own instructions
  }
  run_.transcript(transcript_item(item, frame));
}

void Turn::raw_call(const Json& item, const std::string& type, const sdk::Frame& frame) {
  std::string id = text(item, "call_id");
  if (id.empty()) id = text(item, "id");
  std::string name = text(item, "name");
  if (name.empty()) name = type.substr(0, type.size() - std::string_view("_call").size());
  if (const std::string space = text(item, "namespace"); !space.empty()) name = space + "." + name;
  run_.tool_call(id, name, arguments_of(item, frame));
}

void Turn::item(const Json& item, const sdk::Frame& frame) {
  const std::string type = text(item, "type");
  if (type == "userMessage" || raw_items_) return;
  run_.transcript(transcript_item(item, frame));
  const std::string id = text(item, "id");
  if (type == "agentMessage") {
    whole_text(id, text(item, "text"), frame);
  } else if (type == "commandExecution") {
    run_.tool_call(id, "exec_command", transcript_item({{"command", member(item, "command")}}, frame));
    run_.tool_result(id, text_of(member(item, "aggregatedOutput"), frame), text(item, "status") != "completed");
  } else if (type == "mcpToolCall" || type == "dynamicToolCall") {
    const std::string space = text(item, type == "mcpToolCall" ? "server" : "namespace");
    run_.tool_call(id, space.empty() ? text(item, "tool") : space + "." + text(item, "tool"),
                   arguments_of(item, frame));
    const Json& result = member(item, type == "mcpToolCall" ? "result" : "contentItems");
    run_.tool_result(id, text_of(result.is_object() ? member(result, "content") : result, frame),
                     text(item, "status") != "completed");
  } else if (type == "fileChange" || type == "webSearch" || type == "imageView") {
    run_.tool_call(id, type, "{}");
    run_.tool_result(id, {}, type == "fileChange" && text(item, "status") != "completed");
  }
}

void Turn::delta(const Json& params, const sdk::Frame& frame) {
  const std::string piece = text(params, "delta");
  if (frame.find(piece) != nullptr) {
    answer_lost_ = true;
    return;
  }
  said_[text(params, "itemId")] += piece;
  run_.text(piece);
}

/// The whole of a message whose beginning may have been streamed.
void Turn::whole_text(const std::string& id, const std::string& whole, const sdk::Frame& frame) {
  std::string& said = said_[id];
  if (const sdk::LongString* string = frame.find(whole)) {
    answer_lost_ = answer_lost_ || said.size() != string->length;
  } else if (said.size() < whole.size()) {
    run_.text(std::string_view(whole).substr(said.size()));
    said = whole;
  }
}

void Turn::usage(const Json& last) {
  constexpr std::pair<const char*, const char*> kNames[] = {{"inputTokens", "input_tokens"},
                                                            {"cachedInputTokens", "cached_input_tokens"},
                                                            {"cacheWriteInputTokens", "cache_write_input_tokens"},
                                                            {"outputTokens", "output_tokens"},
                                                            {"reasoningOutputTokens", "reasoning_output_tokens"},
                                                            {"totalTokens", "total_tokens"}};
  for (const auto& [theirs, ours] : kNames) usage_[ours] += number(last, theirs);
}

/// Not final: the CLI may go on. The last word is turn/completed.
void Turn::error(const Json& params) {
  if (flag(params, "willRetry")) {
    run_.notice("retrying", "a request of codex failed, and it tries again");
  } else {
    failure_ = turn_failure(member(params, "error"));
  }
}

void Turn::completed(const Json& turn, const sdk::Frame& frame) {
  if (text(turn, "id") != turn_) return;
  over_ = true;
  status_ = text(turn, "status");
  if (const Json& error = member(turn, "error"); error.is_object()) failure_ = turn_failure(error);
  const Json& items = member(turn, "items");
  if (!items.is_array()) return;
  for (const Json& one : items) {
    if (text(one, "type") != "agentMessage") continue;
    const std::string whole = text(one, "text");
    whole_text(text(one, "id"), whole, frame);
    answer_ = frame.find(whole) == nullptr ? whole : said_[text(one, "id")];
  }
}

void Turn::settle() {
  if (!usage_.empty()) run_.usage(Json(usage_).dump());
  if (answer_ && status_ == "completed") run_.completed(*answer_);
  receipts_.emit(run_);
  if (status_ == "completed") {
    if (!answer_lost_) return;
    throw sdk::Failure(sdk::Status::provider_failed, "answer_too_long", "the answer is longer than a driver keeps");
  }
  if (failure_) throw *failure_;
  if (status_ == "interrupted") {
    throw sdk::Failure(sdk::Status::provider_failed, "interrupted", "something else interrupted the turn");
  }
  throw sdk::Failure(sdk::Status::provider_failed, "provider_error", "codex reported an error");
}

/// Nobody is there to be asked.
sdk::RpcAnswer Turn::answer(const sdk::RpcMessage& request, sdk::Run& run) {
  run.notice("request_declined", "codex asked for something that this driver declines");
  sdk::RpcAnswer out;
  if (ends_with(request.method, "/requestApproval") && request.method != "item/permissions/requestApproval") {
    out.result = R"({"decision":"decline"})";
  } else if (request.method == "mcpServer/elicitation/request") {
    out.result = R"({"action":"decline","content":null})";
  }
  return out;
}

void Turn::noise() {
  if (!std::exchange(noise_told_, true)) {
    run_.notice("unreadable_frame", "the codex CLI wrote a line that is not a message");
  }
}

}  // namespace attache::codex
