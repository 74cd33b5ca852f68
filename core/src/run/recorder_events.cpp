// SPDX-License-Identifier: Apache-2.0
// One event of a driver: is it allowed here, and what becomes of it.
#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "inputs/media_type.hpp"
#include "inputs/utf8.hpp"
#include "run/document.hpp"
#include "run/recorder.hpp"
#include "spi/read_struct.hpp"
#include "spi/text.hpp"

namespace attache::run {
namespace {

using redact::Redactor;
using spi::view;

constexpr std::size_t longest_notice = 1024;
constexpr std::uint64_t most_kept = 64ULL << 20;
constexpr std::uint64_t notice_cost = 256;  // beside its text
constexpr std::size_t longest_label = 256;

bool is_text(const attache_event& event) {
  const bool raw = event.type == ATTACHE_EVENT_RAW;
  return inputs::is_utf8(view(event.id)) && inputs::is_utf8(view(event.name)) &&
         inputs::is_utf8(view(event.media_type)) && (raw || inputs::is_utf8(view(event.text))) &&
         (event.json.size == 0 || is_document(view(event.json)));
}

Redactor::Channel raw_channel(std::uint32_t code) {
  return code == ATTACHE_RAW_STDOUT   ? Redactor::Channel::out
         : code == ATTACHE_RAW_STDERR ? Redactor::Channel::err
                                      : Redactor::Channel::wire;
}

EventBody piece_of(Redactor::Channel channel, std::string text) {
  switch (channel) {
    case Redactor::Channel::answer:
      return TextDelta{std::move(text)};
    case Redactor::Channel::reasoning:
      return ReasoningDelta{std::move(text)};
    case Redactor::Channel::out:
      return RawChunk{RawChunk::Channel::out, std::move(text)};
    case Redactor::Channel::err:
      return RawChunk{RawChunk::Channel::err, std::move(text)};
    case Redactor::Channel::wire:
      break;
  }
  return RawChunk{RawChunk::Channel::wire, std::move(text)};
}

Receipt::Outcome outcome_of(std::uint32_t code) {
  const bool known = code >= ATTACHE_RECEIPT_EXACT && code <= ATTACHE_RECEIPT_UNKNOWN;
  return known ? static_cast<Receipt::Outcome>(code) : Receipt::Outcome::unknown;
}

}  // namespace

bool Recorder::take(const attache_event& event, Bodies& out) {
  if (event.type == ATTACHE_EVENT_STARTED) {
    return take_started(event, out);
  }
  if (!attempt_.started || attempt_.completed || !is_text(event)) {
    return false;
  }
  switch (event.type) {
    case ATTACHE_EVENT_TEXT_DELTA:
      if (!keep(event.text.size)) return false;
      take_piece(Redactor::Channel::answer, redactor_->push(Redactor::Channel::answer, view(event.text)), out);
      return true;
    case ATTACHE_EVENT_REASONING_DELTA:
      take_piece(Redactor::Channel::reasoning, redactor_->push(Redactor::Channel::reasoning, view(event.text)), out);
      return true;
    case ATTACHE_EVENT_TOOL_CALL:
      out.emplace_back(ToolCall{redactor_->answer(view(event.id)), redactor_->answer(view(event.name)),
                                redactor_->guarded_json(view(event.json))});
      return true;
    case ATTACHE_EVENT_TOOL_RESULT:
      out.emplace_back(
          ToolResult{redactor_->answer(view(event.id)), redactor_->guarded(view(event.text)), event.code == 1});
      return true;
    case ATTACHE_EVENT_NOTICE:
      return take_notice(event, out);
    case ATTACHE_EVENT_RECEIPT:
      return take_receipt(event, out);
    case ATTACHE_EVENT_USAGE:
      result_.usage_json = redactor_->guarded_json(view(event.json));
      out.emplace_back(Usage{result_.usage_json});
      return true;
    case ATTACHE_EVENT_TRANSCRIPT:
      out.emplace_back(TranscriptItem{redactor_->guarded_json(view(event.json))});
      return true;
    case ATTACHE_EVENT_RAW: {
      const Redactor::Channel channel = raw_channel(event.code);
      take_piece(channel, redactor_->push(channel, view(event.text)), out);
      return true;
    }
    case ATTACHE_EVENT_COMPLETED:
      take_completed(event, out);
      return true;
    default:
      return true;
  }
}

bool Recorder::take_started(const attache_event& event, Bodies& out) {
  if (attempt_.started || !is_text(event)) {
    return false;
  }
  attempt_.started = true;
  result_.provider = spi::safe_line(redactor_->answer(view(event.name)), longest_label);
  result_.model = spi::safe_line(redactor_->answer(view(event.text)), longest_label);
  if (!started_handed_on_) {
    started_handed_on_ = true;
    out.emplace_back(Started{result_.provider, result_.model});
    std::move(after_started_.begin(), after_started_.end(), std::back_inserter(out));
    after_started_.clear();
  }
  return true;
}

void Recorder::take_piece(Redactor::Channel channel, std::string piece, Bodies& out) {
  if (piece.empty()) {
    return;
  }
  if (channel == Redactor::Channel::answer) {
    deltas_ += piece;
  }
  out.push_back(piece_of(channel, std::move(piece)));
}

bool Recorder::take_notice(const attache_event& event, Bodies& out) {
  const std::string_view id = view(event.id);
  if (!spi::is_slug(view(event.name)) || (!id.empty() && !known_input(id)) ||
      !keep(notice_cost + std::min<std::uint64_t>(event.text.size, longest_notice))) {
    return false;
  }
  Notice notice{std::string(view(event.name)), spi::safe_line(redactor_->guarded(view(event.text)), longest_notice),
                std::string(id)};
  result_.notices.push_back(notice);
  out.emplace_back(std::move(notice));
  return true;
}

bool Recorder::take_receipt(const attache_event& event, Bodies& out) {
  const auto found = std::find_if(result_.receipts.begin(), result_.receipts.end(),
                                  [&](const Receipt& receipt) { return receipt.input_id == view(event.id); });
  if (found == result_.receipts.end()) {
    return false;
  }
  const auto place = static_cast<std::size_t>(found - result_.receipts.begin());
  Receipt receipt = *found;
  receipt.outcome = outcome_of(event.code);
  receipt.media_type = inputs::normalize_media_type(view(event.media_type)).value_or("");
  receipt.size = event.size;
  if (event.has_sha256 == 1) {
    std::memcpy(receipt.sha256.emplace().data(), event.sha256, sizeof event.sha256);
  }
  const bool contradicts = receipt.outcome == Receipt::Outcome::exact && receipt.sha256.has_value() &&
                           *receipt.sha256 != result_.inputs[place].sha256;
  if (receipt_seen_[place] || contradicts) {
    return false;
  }
  receipt_seen_[place] = true;
  *found = receipt;
  out.emplace_back(receipt);
  if (receipt.outcome == Receipt::Outcome::altered) {
    Notice notice{"input_altered",
                  fmt::format("The provider took input {} in other bytes than it was sent.", receipt.input_id),
                  receipt.input_id};
    result_.notices.push_back(notice);
    out.emplace_back(std::move(notice));
  }
  return true;
}

/// False: the run has said more than is kept of it; nothing more of it is taken, and it fails.
bool Recorder::keep(std::uint64_t bytes) {
  attempt_.too_much = attempt_.too_much || bytes > most_kept - kept_;
  if (!attempt_.too_much) kept_ += bytes;
  return !attempt_.too_much;
}

void Recorder::take_completed(const attache_event& event, Bodies& out) {
  flush(out);
  attempt_.completed = true;
  attempt_.completed_status = static_cast<attache_status>(event.code);
  deltas_ = {};
  attempt_.too_much = attempt_.too_much || event.text.size > most_kept;
  if (!attempt_.too_much) result_.text = redactor_->answer(view(event.text));
}

void Recorder::flush(Bodies& out) {
  for (std::size_t i = 0; i < Redactor::channel_count; ++i) {
    const auto channel = static_cast<Redactor::Channel>(i);
    take_piece(channel, redactor_->flush(channel), out);
  }
}

}  // namespace attache::run
