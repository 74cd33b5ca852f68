// SPDX-License-Identifier: Apache-2.0
// What a run tells while it goes on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include <attache/api.hpp>
#include <attache/error.hpp>

namespace attache {

/// What is known about the provider having received the turn. Only ever grows within a run.
/// \since 0.1
enum class Delivery { not_started = 0, not_delivered = 1, indeterminate = 2, delivered = 3 };
ATTACHE_API std::string_view to_string(Delivery delivery) noexcept;

/// What the provider did with one input, as far as its protocol shows.
/// \since 0.1
struct Receipt {
  enum class Outcome { exact = 1, altered = 2, dropped = 3, unknown = 4 } outcome = Outcome::unknown;
  std::string input_id;
  std::size_t index = 0;   ///< the input's position in argument order
  std::string media_type;  ///< of what was taken, where known
  std::uint64_t size = 0;  ///< bytes of what was taken, where known
  std::optional<std::array<std::uint8_t, 32>> sha256;
};
ATTACHE_API std::string_view to_string(Receipt::Outcome outcome) noexcept;

struct Started {
  std::string provider, model;
};
struct TextDelta {
  std::string text;
};
struct ReasoningDelta {
  std::string text;
};
struct ToolCall {
  std::string id, name, arguments_json;
};
struct ToolResult {
  std::string id, text;
  bool is_error = false;
};
struct Notice {
  std::string slug, text, input_id;
};
struct Usage {
  std::string json;
};
struct TranscriptItem {
  std::string json;
};
struct RawChunk {
  enum class Channel { out = 1, err = 2, wire = 3 } channel = Channel::out;
  std::string bytes;  ///< payloads of inputs replaced, paths replaced
};
struct Completed {
  std::string text;
  bool ok = false;
};

/// One event. Texts are redacted: no input bytes, no run-directory path.
/// \since 0.1
struct Event {
  std::uint64_t sequence = 0;  ///< from 1, without gaps within a run
  std::variant<Started, TextDelta, ReasoningDelta, ToolCall, ToolResult, Notice, Receipt, Usage, TranscriptItem,
               RawChunk, Completed>
      body;
};

}  // namespace attache
