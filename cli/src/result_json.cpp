// SPDX-License-Identifier: Apache-2.0
#include "result_json.hpp"

#include <span>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"

namespace attache::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

// A document the driver wrote: as JSON when it is, else as a string.
Json embedded(const std::string& text) {
  if (text.empty()) {
    return nullptr;
  }
  Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

Json notice_json(const Notice& notice) {
  Json json{{"slug", notice.slug}, {"text", notice.text}};
  if (!notice.input_id.empty()) {
    json["input"] = notice.input_id;
  }
  return json;
}

Json receipt_json(const Receipt& receipt) {
  Json json{{"input", receipt.input_id}, {"index", receipt.index}, {"outcome", to_string(receipt.outcome)}};
  if (!receipt.media_type.empty()) {
    json["media_type"] = receipt.media_type;
  }
  if (receipt.size != 0) {
    json["size"] = receipt.size;
  }
  if (receipt.sha256) {
    json["sha256"] = hex(*receipt.sha256);
  }
  return json;
}

Json violation_json(const PlannedInput::Violation& violation) {
  Json json{{"code", to_string(violation.code)}, {"reason", violation.reason}, {"text", violation.text}};
  if (violation.limit) {
    json["limit"] = *violation.limit;
    json["limit_owner"] = violation.limit_owner;
  }
  return json;
}

Json violations_json(const std::vector<PlannedInput::Violation>& violations) {
  Json list = Json::array();
  for (const PlannedInput::Violation& violation : violations) {
    list.push_back(violation_json(violation));
  }
  return list;
}

struct Body {
  Json operator()(const Started& event) const {
    return {{"type", "started"}, {"provider", event.provider}, {"model", event.model}};
  }
  Json operator()(const TextDelta& event) const { return {{"type", "text"}, {"text", event.text}}; }
  Json operator()(const ReasoningDelta& event) const { return {{"type", "reasoning"}, {"text", event.text}}; }
  Json operator()(const ToolCall& event) const {
    return {
        {"type", "tool_call"}, {"id", event.id}, {"name", event.name}, {"arguments", embedded(event.arguments_json)}};
  }
  Json operator()(const ToolResult& event) const {
    return {{"type", "tool_result"}, {"id", event.id}, {"text", event.text}, {"is_error", event.is_error}};
  }
  Json operator()(const Notice& event) const {
    Json json{{"type", "notice"}};
    json.update(notice_json(event));
    return json;
  }
  Json operator()(const Receipt& event) const {
    Json json{{"type", "receipt"}};
    json.update(receipt_json(event));
    return json;
  }
  Json operator()(const Usage& event) const { return {{"type", "usage"}, {"usage", embedded(event.json)}}; }
  Json operator()(const TranscriptItem& event) const {
    return {{"type", "transcript"}, {"item", embedded(event.json)}};
  }
  Json operator()(const RawChunk& event) const {
    const char* channel = event.channel == RawChunk::Channel::out   ? "stdout"
                          : event.channel == RawChunk::Channel::err ? "stderr"
                                                                    : "wire";
    return {{"type", "raw"}, {"channel", channel}, {"bytes", event.bytes}};
  }
  Json operator()(const Completed& event) const {
    return {{"type", "completed"}, {"ok", event.ok}, {"text", event.text}};
  }
};

}  // namespace

Json event_json(const Event& event) {
  Json json{{"type", nullptr}, {"sequence", event.sequence}};
  json.update(std::visit(Body{}, event.body));
  return json;
}

Json result_json(const Result& result) {
  Json json{{"type", "result"}, {"run_id", result.run_id}, {"text", result.text}};
  if (!result.provider.empty()) {
    json["provider"] = result.provider;
  }
  if (!result.model.empty()) {
    json["model"] = result.model;
  }
  if (!result.usage_json.empty()) {
    json["usage"] = embedded(result.usage_json);
  }
  json["inputs"] = Json::array();
  for (const ResolvedInput& input : result.inputs) {
    json["inputs"].push_back({{"id", input.id},
                              {"index", input.index},
                              {"kind", input::to_string(input.kind)},
                              {"mode", input::to_string(input.mode)},
                              {"name", input.name},
                              {"media_type", input.media_type},
                              {"size", input.size},
                              {"sha256", hex(input.sha256)}});
  }
  json["receipts"] = Json::array();
  for (const Receipt& receipt : result.receipts) {
    json["receipts"].push_back(receipt_json(receipt));
  }
  json["notices"] = Json::array();
  for (const Notice& notice : result.notices) {
    json["notices"].push_back(notice_json(notice));
  }
  json["delivery"] = to_string(result.delivery);
  json["contract_violations"] = result.contract_violations;
  return json;
}

Json plan_json(const Plan& plan) {
  Json json{{"type", "plan"}, {"ok", plan.ok()}, {"inputs", Json::array()}};
  for (const PlannedInput& input : plan.inputs) {
    Json entry{{"index", input.index}, {"kind", input::to_string(input.kind)},
               {"name", input.name},   {"media_type", input.media_type},
               {"size", input.size},   {"mode", nullptr},
               {"exact", input.exact}, {"violations", violations_json(input.violations)}};
    if (input.mode) {
      entry["mode"] = input::to_string(*input.mode);
    }
    json["inputs"].push_back(std::move(entry));
  }
  json["set_violations"] = violations_json(plan.set_violations);
  return json;
}

Json report_json(const LoadReport& report) {
  Json list = Json::array();
  for (const LoadAttempt& attempt : report.attempts) {
    Json entry{{"place", attempt.place},
               {"stage", to_string(attempt.stage)},
               {"reason", attempt.reason},
               {"text", attempt.text},
               {"hint", attempt.hint}};
    if (!attempt.id.empty()) {
      entry["id"] = attempt.id;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace attache::cli
