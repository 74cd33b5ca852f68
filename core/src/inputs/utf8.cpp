// SPDX-License-Identifier: Apache-2.0
#include "inputs/utf8.hpp"

namespace attache::inputs {
namespace {

/// What a lead byte asks for: how many bytes follow, and the range of the first of them.
struct Lead {
  unsigned following = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  bool valid = true;
};

Lead lead(unsigned char byte) noexcept {
  if (byte < 0x80) return {};
  if (byte >= 0xc2 && byte <= 0xdf) return {1};
  if (byte == 0xe0) return {2, 0xa0};
  if (byte == 0xed) return {2, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {2};
  if (byte == 0xf0) return {3, 0x90};
  if (byte >= 0xf1 && byte <= 0xf3) return {3};
  if (byte == 0xf4) return {3, 0x80, 0x8f};
  return {0, 0, 0, false};
}

std::uint64_t json_bytes(unsigned char byte) noexcept {
  if (byte == '"' || byte == '\\') return 2;
  if (byte >= 0x20) return 1;
  return byte == '\b' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r' ? 2 : 6;
}

}  // namespace

Character first_character(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Lead first = lead(at(0));
  if (!first.valid || text.size() <= first.following) return {0, 1, false};
  constexpr unsigned char masks[] = {0x7f, 0x1f, 0x0f, 0x07};
  char32_t value = at(0) & masks[first.following];
  for (unsigned i = 1; i <= first.following; ++i) {
    const unsigned char low = i == 1 ? first.low : 0x80;
    const unsigned char high = i == 1 ? first.high : 0xbf;
    if (at(i) < low || at(i) > high) return {0, 1, false};
    value = (value << 6) | (at(i) & 0x3fu);
  }
  return {value, first.following + 1u, true};
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

void TextMeasure::update(std::span<const std::byte> piece) noexcept {
  for (const std::byte byte : piece) next(std::to_integer<unsigned char>(byte));
}

void TextMeasure::next(unsigned char byte) noexcept {
  json_length_ += json_bytes(byte);
  if (!valid_) return;
  if (missing_ == 0) {
    const Lead found = lead(byte);
    valid_ = found.valid;
    missing_ = found.following;
    low_ = found.low;
    high_ = found.high;
    return;
  }
  valid_ = byte >= low_ && byte <= high_;
  --missing_;
  low_ = 0x80;
  high_ = 0xbf;
}

}  // namespace attache::inputs
