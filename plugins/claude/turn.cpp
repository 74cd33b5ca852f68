// SPDX-License-Identifier: Apache-2.0
#include "turn.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "transcript.hpp"

namespace attache::claude {
namespace {

constexpr const char* kRemoved = "[removed: longer than a driver keeps]";

/// What is left of a whole block whose first bytes were streamed.
std::string_view rest(const std::string& whole, std::deque<std::size_t>& streamed) {
  if (streamed.empty()) return whole;
  const std::size_t told = streamed.front();
  streamed.pop_front();
  return told < whole.size() ? std::string_view(whole).substr(told) : std::string_view();
}

std::string result_text(const Json& content, const sdk::Frame& frame) {
  if (content.is_string()) {
    const auto& whole = content.get_ref<const std::string&>();
    return frame.find(whole) == nullptr ? whole : kRemoved;
  }
  std::string out;
  if (!content.is_array()) return out;
  for (const Json& block : content) {
    const std::string piece = text(block, "text");
    out += frame.find(piece) == nullptr ? piece : kRemoved;
  }
  return out;
}

}  // namespace

bool Turn::take(const sdk::Frame& frame) {
  const std::optional<Json> document = sdk::parse_json<Json>(frame.json);
  if (!document || !document->is_object()) {
    if (!std::exchange(unreadable_told_, true)) {
      run_.notice("unreadable_frame", "the claude CLI wrote a line that is not a frame");
    }
    return false;
  }
  const std::string type = text(*document, "type");
  if (type == "system") system(*document);
  if (type == "stream_event") stream_event(member(*document, "event"));
  if (type == "assistant") assistant(*document, frame);
  if (type == "user") user(*document, frame);
  if (type == "result") result(*document, frame);
  return type == "result";
}

void Turn::system(const Json& frame) {
  const std::string subtype = text(frame, "subtype");
  if (subtype == "init") {
    const std::string version = text(frame, "claude_code_version");
    run_.started(text(frame, "model"), version.empty() ? "claude" : "claude " + version);
  } else if (subtype == "api_retry") {
    run_.notice("api_retry",
                fmt::format("the provider's request failed with status {}; attempt {} of {} follows",
                            number(frame, "error_status"), number(frame, "attempt"), number(frame, "max_retries")));
  }
}

void Turn::stream_event(const Json& event) {
  const std::string type = text(event, "type");
  if (type == "message_start") {
    streamed_text_.clear();
    streamed_thinking_.clear();
  } else if (type == "content_block_start") {
    const std::string block = text(member(event, "content_block"), "type");
    if (block == "text") streamed_text_.push_back(0);
    if (block == "thinking") streamed_thinking_.push_back(0);
  } else if (type == "content_block_delta") {
    const Json& delta = member(event, "delta");
    if (std::string piece = text(delta, "text"); text(delta, "type") == "text_delta") {
      if (streamed_text_.empty()) streamed_text_.push_back(0);
      streamed_text_.back() += piece.size();
      run_.text(piece);
    }
    if (std::string piece = text(delta, "thinking"); text(delta, "type") == "thinking_delta") {
      if (streamed_thinking_.empty()) streamed_thinking_.push_back(0);
      streamed_thinking_.back() += piece.size();
      run_.reasoning(piece);
    }
  }
}

void Turn::assistant(const Json& document, const sdk::Frame& frame) {
  run_.transcript(transcript_item(document, frame));
  const std::string api_error = text(document, "api_error");
  if (api_error == "media_removed") {
    const std::string media = text(member(document, "api_error_params"), "media");
    receipts_.media_removed(media);
    run_.notice("media_removed", media == "document" ? "the provider refused a document and claude went on without it"
                                                     : "the provider refused an image and claude went on without it");
    return;
  }
  if (!api_error.empty() || flag(document, "is_api_error_message")) {
    verdict_.api_error(document);
    return;
  }
  const Json& content = member(member(document, "message"), "content");
  if (!content.is_array()) return;
  for (const Json& block : content) assistant_block(block, frame);
}

void Turn::assistant_block(const Json& block, const sdk::Frame& frame) {
  const std::string type = text(block, "type");
  if (type == "text") {
    whole_text(text(block, "text"), frame);
  } else if (type == "thinking") {
    whole_thinking(text(block, "thinking"), frame);
  } else if (type == "tool_use") {
    run_.tool_call(text(block, "id"), text(block, "name"), transcript_item(member(block, "input"), frame));
  }
}

void Turn::whole_text(const std::string& whole, const sdk::Frame& frame) {
  if (frame.find(whole) == nullptr) {
    if (const std::string_view left = rest(whole, streamed_text_); !left.empty()) run_.text(left);
    return;
  }
  const bool streamed = !streamed_text_.empty() && streamed_text_.front() != 0;
  if (!streamed_text_.empty()) streamed_text_.pop_front();
  if (!streamed) answer_lost_ = true;
}

void Turn::whole_thinking(const std::string& whole, const sdk::Frame& frame) {
  const std::string_view left = rest(whole, streamed_thinking_);
  if (!left.empty() && frame.find(whole) == nullptr) run_.reasoning(left);
}

void Turn::user(const Json& document, const sdk::Frame& frame) {
  run_.transcript(transcript_item(document, frame));
  const Json& content = member(member(document, "message"), "content");
  if (flag(document, "isReplay")) {
    receipts_.replayed(content, frame);
    return;
  }
  if (!content.is_array()) return;
  for (const Json& block : content) {
    if (text(block, "type") != "tool_result") continue;
    run_.tool_result(text(block, "tool_use_id"), result_text(member(block, "content"), frame), flag(block, "is_error"));
  }
}

void Turn::result(const Json& document, const sdk::Frame& frame) {
  verdict_.result(document);
  run_.transcript(transcript_item(document, frame));
  if (const Json& usage = member(document, "usage"); usage.is_object()) run_.usage(transcript_item(usage, frame));
  const Json& answer = member(document, "result");
  if (answer.is_string() && !flag(document, "is_error") &&
      frame.find(answer.get_ref<const std::string&>()) == nullptr) {
    run_.completed(answer.get_ref<const std::string&>());
  }
  receipts_.emit(run_);
  verdict_.settle();
  if (answer_lost_) {
    throw sdk::Failure(sdk::Status::provider_failed, "answer_too_long", "the answer is longer than a driver keeps");
  }
}

}  // namespace attache::claude
