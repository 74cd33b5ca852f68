// SPDX-License-Identifier: Apache-2.0
#include "utf8.hpp"

#include <cstddef>
#include <cstring>

namespace attache::sdk {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

bool Utf8Validator::lead(unsigned char byte) noexcept {
  low_ = 0x80;
  high_ = 0xbf;
  if (byte >= 0xc2 && byte <= 0xdf) {
    missing_ = 1;
  } else if (byte >= 0xe0 && byte <= 0xef) {
    missing_ = 2;
    if (byte == 0xe0) low_ = 0xa0;
    if (byte == 0xed) high_ = 0x9f;
  } else if (byte >= 0xf0 && byte <= 0xf4) {
    missing_ = 3;
    if (byte == 0xf0) low_ = 0x90;
    if (byte == 0xf4) high_ = 0x8f;
  } else {
    return byte < 0x80;
  }
  return true;
}

bool Utf8Validator::update(std::string_view piece) noexcept {
  const char* in = piece.data();
  const char* const end = in + piece.size();
  while (in != end && !bad_) {
    if (missing_ == 0) {
      while (end - in >= 8 && (load(in) & kHighBits) == 0) in += 8;
      if (in == end) break;
      bad_ = !lead(static_cast<unsigned char>(*in++));
      continue;
    }
    const auto byte = static_cast<unsigned char>(*in++);
    bad_ = byte < low_ || byte > high_;
    low_ = 0x80;
    high_ = 0xbf;
    --missing_;
  }
  return !bad_;
}

bool has_control(std::string_view bytes) noexcept {
  const char* in = bytes.data();
  const char* const end = in + bytes.size();
  for (; end - in >= 8; in += 8) {
    const std::uint64_t word = load(in);
    if (((word - 0x2020202020202020) & ~word & kHighBits) != 0) return true;
  }
  for (; in != end; ++in) {
    if (static_cast<unsigned char>(*in) < 0x20) return true;
  }
  return false;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { put(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xc0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    put(0xe0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xf0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace attache::sdk
