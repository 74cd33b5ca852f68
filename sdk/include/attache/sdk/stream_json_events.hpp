// SPDX-License-Identifier: Apache-2.0
// Frames of a CLI that speaks stream-json, as events of the run. A template like those of json_access.hpp.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_access.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/stream_json_transcript.hpp>

namespace attache::sdk {

/// Text and reasoning (each piece once, whether it came in pieces, whole or both), tool calls and their results, usage
/// and the answer of one turn. One thread; the run outlives it. Reports throw what Run's do. \since 0.2
template <class Json>
class StreamJsonEvents {
 public:
  /// `notice_text`: the sentence of the notice `unreadable_frame`.
  StreamJsonEvents(Run& run, std::string notice_text) : run_(run), notice_text_(std::move(notice_text)) {}

  /// The frame's object; nothing, and a notice for the first one, when the line is none.
  std::optional<Json> read(const Frame& frame) {
    std::optional<Json> document = parse_json<Json>(frame.json);
    if (document && document->is_object()) return document;
    if (!std::exchange(unreadable_told_, true)) run_.notice("unreadable_frame", notice_text_);
    return std::nullopt;
  }

  /// The event of a `stream_event` frame.
  void stream_event(const Json& event) {
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
      const std::string kind = text(delta, "type");
      if (kind == "text_delta") run_.text(count(text(delta, "text"), streamed_text_));
      if (kind == "thinking_delta") run_.reasoning(count(text(delta, "thinking"), streamed_thinking_));
    }
  }

  /// The content of an `assistant` frame.
  void assistant(const Json& content, const Frame& frame) {
    if (!content.is_array()) return;
    for (const Json& block : content) {
      const std::string type = text(block, "type");
      if (type == "text") {
        whole_text(text(block, "text"), frame);
      } else if (type == "thinking") {
        whole_thinking(text(block, "thinking"), frame);
      } else if (type == "tool_use") {
        run_.tool_call(text(block, "id"), text(block, "name"), stream_json_transcript(member(block, "input"), frame));
      }
    }
  }

  /// The content of a `user` frame that carries results of tools.
  void tool_results(const Json& content, const Frame& frame) {
    if (!content.is_array()) return;
    for (const Json& block : content) {
      if (text(block, "type") != "tool_result") continue;
      run_.tool_result(text(block, "tool_use_id"), stream_json_text(member(block, "content"), frame),
                       flag(block, "is_error"));
    }
  }

  /// Usage and answer of a `result` frame.
  void result(const Json& document, const Frame& frame) {
    run_.transcript(stream_json_transcript(document, frame));
    if (const Json& usage = member(document, "usage"); usage.is_object()) {
      run_.usage(stream_json_transcript(usage, frame));
    }
    const Json& answer = member(document, "result");
    if (answer.is_string() && !flag(document, "is_error") &&
        frame.find(answer.template get_ref<const std::string&>()) == nullptr) {
      run_.completed(answer.template get_ref<const std::string&>());
    }
  }

  /// After the result of a turn that went well. Throws Failure (provider_failed, `answer_too_long`).
  void require_whole_answer() const {
    if (answer_lost_) {
      throw Failure(Status::provider_failed, "answer_too_long", "the answer is longer than a driver keeps");
    }
  }

 private:
  /// The piece, counted for the block that is being streamed.
  static std::string count(std::string piece, std::deque<std::size_t>& streamed) {
    if (streamed.empty()) streamed.push_back(0);
    streamed.back() += piece.size();
    return piece;
  }
  /// What is left of a whole block whose first bytes were streamed.
  static std::string_view rest(const std::string& whole, std::deque<std::size_t>& streamed) {
    if (streamed.empty()) return whole;
    const std::size_t told = streamed.front();
    streamed.pop_front();
    return told < whole.size() ? std::string_view(whole).substr(told) : std::string_view();
  }
  void whole_text(const std::string& whole, const Frame& frame) {
    if (frame.find(whole) == nullptr) {
      if (const std::string_view left = rest(whole, streamed_text_); !left.empty()) run_.text(left);
      return;
    }
    const bool streamed = !streamed_text_.empty() && streamed_text_.front() != 0;
    if (!streamed_text_.empty()) streamed_text_.pop_front();
    if (!streamed) answer_lost_ = true;
  }
  void whole_thinking(const std::string& whole, const Frame& frame) {
    const std::string_view left = rest(whole, streamed_thinking_);
    if (!left.empty() && frame.find(whole) == nullptr) run_.reasoning(left);
  }

  Run& run_;
  const std::string notice_text_;
  /// Bytes already handed on of each block that is being streamed, oldest first: its whole text still comes.
  std::deque<std::size_t> streamed_text_;
  std::deque<std::size_t> streamed_thinking_;
  bool unreadable_told_ = false;
  bool answer_lost_ = false;
};

}  // namespace attache::sdk
