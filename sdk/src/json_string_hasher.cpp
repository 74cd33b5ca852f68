// SPDX-License-Identifier: Apache-2.0
#include "json_string_hasher.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace attache::sdk {
namespace {

constexpr std::size_t kGather = std::size_t{16} * 1024;  // short runs are hashed together
constexpr std::size_t kDecodeStep = std::size_t{64} * 1024;
constexpr std::size_t kLongestHead = 1024;  // of a data URL, up to its comma
constexpr std::string_view kDataScheme = "data:";
constexpr std::string_view kBase64Mark = ";base64";
constexpr std::uint32_t kReplacement = 0xfffd;

}  // namespace

void JsonStringHasher::reset() {
  escape_ = Escape::none;
  base64_ = Base64::undecided;
  high_surrogate_ = 0;
  length_ = 0;
  decoded_size_ = 0;
  text_.clear();
  head_.clear();
  media_type_.clear();
  fault_.clear();
  utf8_ = {};
  decoder_ = {};
  hash_text_ = true;
  sha_.finish();
  decoded_sha_.finish();
}

void JsonStringHasher::push(std::string_view raw) {
  while (!raw.empty() && fault_.empty()) {
    if (escape_ == Escape::none) {
      const std::size_t run = std::min(raw.find('\\'), raw.size());
      plain(raw.substr(0, run));
      raw.remove_prefix(run);
      if (raw.empty()) break;
      escape_ = Escape::backslash;
    } else if (escape_ == Escape::backslash) {
      escaped(raw.front());
    } else {
      hex_digit(raw.front());
    }
    raw.remove_prefix(1);
  }
}

void JsonStringHasher::plain(std::string_view run) {
  if (run.empty()) return;
  end_surrogate();
  if (has_control(run)) return fail("\x01");
  if (!utf8_.update(run)) return fail("\xff");
  if (text_.size() + run.size() <= kGather) {
    text_.append(run);
    return;
  }
  flush();
  if (run.size() < kGather) {
    text_.append(run);
  } else {
    hash(run);
  }
}

void JsonStringHasher::escaped(char letter) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view values = "\"\\/\b\f\n\r\t";
  if (!utf8_.complete()) return fail("\xff");
  if (letter == 'u') {
    escape_ = Escape::hex;
    digits_ = 0;
    unit_ = 0;
    return;
  }
  const std::size_t at = letters.find(letter);
  if (at == std::string_view::npos) return fail("\\x");
  end_surrogate();
  text_ += values[at];
  escape_ = Escape::none;
  if (text_.size() >= kGather) flush();
}

void JsonStringHasher::hex_digit(char digit) {
  std::uint32_t value = 0;
  if (digit >= '0' && digit <= '9') {
    value = static_cast<std::uint32_t>(digit - '0');
  } else if (digit >= 'a' && digit <= 'f') {
    value = static_cast<std::uint32_t>(digit - 'a' + 10);
  } else if (digit >= 'A' && digit <= 'F') {
    value = static_cast<std::uint32_t>(digit - 'A' + 10);
  } else {
    return fail("\\u");
  }
  unit_ = unit_ << 4 | value;
  if (++digits_ < 4) return;
  escape_ = Escape::none;
  code_unit(unit_);
  if (text_.size() >= kGather) flush();
}

void JsonStringHasher::code_unit(std::uint32_t unit) {
  const bool low = unit >= 0xdc00 && unit <= 0xdfff;
  if (low && high_surrogate_ != 0) {
    append_utf8(text_, 0x10000 + ((high_surrogate_ - 0xd800) << 10) + (unit - 0xdc00));
    high_surrogate_ = 0;
    return;
  }
  end_surrogate();
  if (unit >= 0xd800 && unit <= 0xdbff) {
    high_surrogate_ = unit;
  } else {
    append_utf8(text_, low ? kReplacement : unit);
  }
}

void JsonStringHasher::end_surrogate() {
  if (high_surrogate_ == 0) return;
  high_surrogate_ = 0;
  append_utf8(text_, kReplacement);
}

void JsonStringHasher::fail(std::string fault) {
  fault_ = std::move(fault);
  base64_ = Base64::no;
}

void JsonStringHasher::flush() {
  if (text_.empty()) return;
  const std::string decoded = std::exchange(text_, {});
  hash(decoded);
}

void JsonStringHasher::hash(std::string_view decoded) {
  length_ += decoded.size();
  if (base64_ == Base64::undecided) {
    const std::string_view head = decoded.substr(0, kLongestHead - head_.size());
    decoded.remove_prefix(head.size());
    start(head);
  }
  if (decoded.empty()) return;
  if (hash_text_) sha_.update(decoded);
  if (base64_ == Base64::decoding) decode(decoded);
}

// As long as it is undecided the whole text so far is in head_, and not hashed.
void JsonStringHasher::start(std::string_view decoded) {
  head_.append(decoded);
  find_start();
  if (base64_ == Base64::undecided) return;
  hash_text_ = hash_base64_text_ || base64_ == Base64::no;
  if (hash_text_) sha_.update(head_);
}

// Decides once the head is full, or holds all that matters.
void JsonStringHasher::find_start() {
  const bool full = head_.size() == kLongestHead;
  if (!std::string_view(head_).starts_with(kDataScheme)) {
    if (!full) return;
    base64_ = Base64::decoding;
    return decode(head_);
  }
  const std::size_t comma = head_.find(',');
  if (comma == std::string::npos) {
    if (full) base64_ = Base64::no;
    return;
  }
  const std::string_view prefix = std::string_view(head_).substr(0, comma);
  if (!prefix.ends_with(kBase64Mark) || prefix.size() <= kDataScheme.size() + kBase64Mark.size()) {
    base64_ = Base64::no;
    return;
  }
  media_type_ = prefix.substr(kDataScheme.size(), prefix.size() - kDataScheme.size() - kBase64Mark.size());
  base64_ = Base64::decoding;
  decode(std::string_view(head_).substr(comma + 1));
}

void JsonStringHasher::decode(std::string_view text) {
  if (!bytes_) bytes_ = std::make_unique<std::uint8_t[]>(kDecodeStep / 4 * 3 + 3);
  while (!text.empty() && base64_ == Base64::decoding) {
    const std::string_view step = text.substr(0, kDecodeStep);
    text.remove_prefix(step.size());
    std::size_t written = 0;
    if (!decoder_.update(step, bytes_.get(), written)) {
      base64_ = Base64::no;
      return;
    }
    decoded_size_ += written;
    decoded_sha_.update({bytes_.get(), written});
  }
}

LongString JsonStringHasher::finish() {
  end_surrogate();
  if (fault_.empty() && !utf8_.complete()) fail("\xff");
  flush();
  if (base64_ == Base64::undecided) {
    sha_.update(head_);
    if (!std::string_view(head_).starts_with(kDataScheme)) {
      base64_ = Base64::decoding;
      decode(head_);
    }
  }
  LongString result;
  result.length = length_;
  result.has_sha256 = hash_text_;
  if (hash_text_) result.sha256 = sha_.finish();
  result.is_base64 = base64_ == Base64::decoding && decoder_.finish();
  if (result.is_base64) {
    result.media_type = media_type_;
    result.decoded_size = decoded_size_;
    result.decoded_sha256 = decoded_sha_.finish();
  }
  return result;
}

}  // namespace attache::sdk
