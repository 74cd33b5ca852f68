// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <attache/sdk/json_lines.hpp>

#include "json_string_hasher.hpp"
#include "random_token.hpp"

namespace attache::sdk {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

const LongString* Frame::find(std::string_view value) const noexcept {
  if (stand_in.empty() || !value.starts_with(stand_in)) return nullptr;
  const std::string_view number = value.substr(stand_in.size());
  const char* const end = number.data() + number.size();
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(number.data(), end, index);
  const bool padded = number.size() > 1 && number.front() == '0';
  if (error != std::errc{} || stop != end || padded || index >= long_strings.size()) return nullptr;
  return &long_strings[index];
}

struct JsonLines::Impl {
  // Where the raw bytes of the string at hand go. Decoded is never longer than raw, so that up to the limit
  // nothing needs to be decoded.
  enum class String { none, kept, measured, taken };

  explicit Impl(const Limits& with)
      : limits(with), prefix("attache-long-string:" + random_token() + ":"), hasher(with.hash_base64_text) {
    clear();
  }

  Status feed(std::string_view bytes, const std::function<bool(Frame&)>& on_frame);
  bool take(std::string_view part);
  std::size_t string_part(std::string_view part);
  void string_bytes(std::string_view raw);
  void string_end();
  void end_line();
  void clear();

  Limits limits;
  std::string prefix;
  Frame frame;
  String string = String::none;
  bool escaped = false;
  std::size_t string_start = 0;
  JsonStringHasher hasher;
  std::string pending;
  bool too_long = false;
};

void JsonLines::Impl::clear() {
  if (frame.json.capacity() > limits.string_bytes) frame.json = {};
  frame.json.clear();
  frame.long_strings.clear();
  frame.line_length = 0;
  frame.stand_in = prefix;
  string = String::none;
  escaped = false;
}

// Bytes without a line end.
bool JsonLines::Impl::take(std::string_view part) {
  frame.line_length += part.size();
  if (frame.line_length > limits.line_bytes) return false;
  while (!part.empty()) {
    if (string == String::none) {
      const std::size_t quote = part.find('"');
      const std::size_t length = quote == std::string_view::npos ? part.size() : quote + 1;
      if (frame.json.size() + length > limits.frame_bytes) return false;
      frame.json.append(part.substr(0, length));
      part.remove_prefix(length);
      if (quote != std::string_view::npos) {
        string = String::kept;
        string_start = frame.json.size();
      }
    } else {
      const std::size_t length = string_part(part);
      string_bytes(part.substr(0, length));
      part.remove_prefix(length);
      if (part.empty()) break;
      part.remove_prefix(1);
      string_end();
      if (frame.json.size() > limits.frame_bytes) return false;
    }
  }
  return true;
}

// How many of these bytes belong to the string; what follows them is its closing quote.
std::size_t JsonLines::Impl::string_part(std::string_view part) {
  std::size_t at = 0;
  if (escaped && !part.empty()) {
    escaped = false;
    at = 1;
  }
  std::size_t quote = std::min(part.find('"', at), part.size());
  for (;;) {
    const void* const found = std::memchr(part.data() + at, '\\', quote - at);
    if (found == nullptr) return quote;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - part.data()) + 2;
    if (at > part.size()) {
      escaped = true;
      return part.size();
    }
    if (at > quote) quote = std::min(part.find('"', at), part.size());
  }
}

void JsonLines::Impl::string_bytes(std::string_view raw) {
  if (raw.empty()) return;
  if (string == String::taken) return hasher.push(raw);
  // Not more at once than what is certain to be kept or decided on.
  while (!raw.empty()) {
    const std::string_view step = raw.substr(0, std::max<std::size_t>(limits.string_bytes, 1));
    raw.remove_prefix(step.size());
    frame.json.append(step);
    if (string == String::measured) {
      hasher.push(step);
    } else if (frame.json.size() - string_start > limits.string_bytes) {
      string = String::measured;
      hasher.reset();
      hasher.push(std::string_view(frame.json).substr(string_start));
    }
    if (string == String::measured && (hasher.length() > limits.string_bytes || !hasher.fault().empty())) {
      string = String::taken;
      frame.json.resize(string_start);
      return hasher.push(raw);
    }
  }
}

void JsonLines::Impl::string_end() {
  if (string == String::measured) {
    // The last character may have become whole only now.
    LongString found = hasher.finish();
    if (found.length > limits.string_bytes) {
      frame.json.resize(string_start);
      frame.json += prefix + std::to_string(frame.long_strings.size());
      frame.long_strings.push_back(std::move(found));
    }
  } else if (string == String::taken) {
    LongString found = hasher.finish();
    frame.json += prefix + std::to_string(frame.long_strings.size()) + hasher.fault();
    frame.long_strings.push_back(std::move(found));
  }
  frame.json += '"';
  string = String::none;
}

void JsonLines::Impl::end_line() {
  // A string that does not end stays without its quote, and the frame is refused by the parser.
  if (string == String::taken) frame.json += prefix;
  if (frame.json.ends_with('\r')) frame.json.pop_back();
}

JsonLines::Status JsonLines::Impl::feed(std::string_view bytes, const std::function<bool(Frame&)>& on_frame) {
  while (!bytes.empty() && !too_long) {
    const std::size_t line_end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, line_end);
    bytes.remove_prefix(part.size());
    if (!take(part)) {
      too_long = true;
      break;
    }
    if (line_end == std::string_view::npos) break;
    bytes.remove_prefix(1);
    end_line();
    if (is_blank(frame.json)) {
      clear();
      continue;
    }
    bool go_on = false;
    try {
      go_on = on_frame(frame);
    } catch (...) {
      clear();
      pending = bytes;
      throw;
    }
    clear();
    if (!go_on) {
      pending = bytes;
      return Status::stopped;
    }
  }
  return too_long ? Status::too_long : Status::ok;
}

JsonLines::JsonLines(const Limits& limits) : impl_(std::make_unique<Impl>(limits)) {}
JsonLines::JsonLines(JsonLines&&) noexcept = default;
JsonLines& JsonLines::operator=(JsonLines&&) noexcept = default;
JsonLines::~JsonLines() = default;

JsonLines::Status JsonLines::feed(std::string_view bytes, const std::function<bool(Frame&)>& on_frame) {
  if (impl_->pending.empty()) return impl_->feed(bytes, on_frame);
  std::string kept = std::exchange(impl_->pending, {});
  kept.append(bytes);
  return impl_->feed(kept, on_frame);
}

std::optional<Frame> JsonLines::finish() {
  std::optional<Frame> last;
  const auto keep = [&last](Frame& frame) {
    last = std::move(frame);
    return false;
  };
  if (feed({}, keep) == Status::too_long || last) return last;
  if (impl_->string == Impl::String::none && !is_blank(impl_->frame.json)) {
    impl_->end_line();
    last = std::move(impl_->frame);
  }
  impl_->clear();
  return last;
}

}  // namespace attache::sdk
