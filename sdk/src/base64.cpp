// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstring>

#include <attache/sdk/base64.hpp>

#include "base64_blocks.hpp"

namespace attache::sdk {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t kInvalid = 0xff000000;

// Two characters for each 12-bit value: half the look-ups of a table of single characters.
constexpr auto kPairs = [] {
  std::array<char, std::size_t{4096} * 2> table{};
  for (std::size_t i = 0; i < 4096; ++i) {
    table[i * 2] = kAlphabet[i >> 6];
    table[i * 2 + 1] = kAlphabet[i & 63];
  }
  return table;
}();

using DecodeTable = std::array<std::uint32_t, 256>;

constexpr DecodeTable decode_table(unsigned shift) {
  DecodeTable table{};
  for (auto& entry : table) entry = kInvalid;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint32_t>(i) << shift;
  }
  return table;
}

constexpr std::array<DecodeTable, 4> kDecode{decode_table(18), decode_table(12), decode_table(6), decode_table(0)};

void put_pair(char* out, std::uint32_t value) {
  std::memcpy(out, &kPairs[std::size_t{value} * 2], 2);
}

// Compilers make one load of it.
std::uint64_t load_big_endian(const std::uint8_t* in) {
  return std::uint64_t{in[0]} << 56 | std::uint64_t{in[1]} << 48 | std::uint64_t{in[2]} << 40 |
         std::uint64_t{in[3]} << 32 | std::uint64_t{in[4]} << 24 | std::uint64_t{in[5]} << 16 |
         std::uint64_t{in[6]} << 8 | in[7];
}

void put_bytes(std::uint8_t* out, std::uint32_t group, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(group >> (16 - 8 * i));
}

std::atomic<const Base64Blocks*> chosen{nullptr};

const Base64Blocks& blocks() noexcept {
  const Base64Blocks* known = chosen.load(std::memory_order_relaxed);
  if (known == nullptr) {
    known = &best_base64_blocks();
    chosen.store(known, std::memory_order_relaxed);
  }
  return *known;
}

}  // namespace

void use_base64_blocks(const Base64Blocks* with) noexcept {
  chosen.store(with, std::memory_order_relaxed);
}

std::size_t base64_encode(std::span<const std::uint8_t> bytes, char* out) noexcept {
  char* const begin = out;
  const std::size_t done = blocks().encode(bytes.data(), bytes.size(), out);
  const std::uint8_t* in = bytes.data() + done;
  const std::uint8_t* const end = bytes.data() + bytes.size();
  out += done / 3 * 4;
  for (; end - in >= 8; in += 6, out += 8) {  // 8 are read, 6 used
    const std::uint64_t word = load_big_endian(in);
    put_pair(out, static_cast<std::uint32_t>(word >> 52));
    put_pair(out + 2, static_cast<std::uint32_t>(word >> 40 & 0xfff));
    put_pair(out + 4, static_cast<std::uint32_t>(word >> 28 & 0xfff));
    put_pair(out + 6, static_cast<std::uint32_t>(word >> 16 & 0xfff));
  }
  for (; end - in >= 3; in += 3, out += 4) {
    const std::uint32_t group = std::uint32_t{in[0]} << 16 | std::uint32_t{in[1]} << 8 | in[2];
    put_pair(out, group >> 12);
    put_pair(out + 2, group & 0xfff);
  }
  const std::size_t rest = bytes.size() % 3;
  if (rest != 0) {
    const std::uint32_t group = std::uint32_t{in[0]} << 16 | (rest == 2 ? std::uint32_t{in[1]} << 8 : 0);
    put_pair(out, group >> 12);
    put_pair(out + 2, group & 0xfff);
    out[3] = '=';
    if (rest == 1) out[2] = '=';
    out += 4;
  }
  return static_cast<std::size_t>(out - begin);
}

std::string base64_encode(std::string_view bytes) {
  std::string text(base64_length(bytes.size()), '\0');
  base64_encode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, text.data());
  return text;
}

bool Base64Decoder::update(std::string_view piece, std::uint8_t* out, std::size_t& written) noexcept {
  std::uint8_t* const begin = out;
  const auto* in = reinterpret_cast<const unsigned char*>(piece.data());
  const auto* const end = in + piece.size();
  while (in != end && !bad_) {
    if (count_ == 0 && padding_ == 0) {
      const std::size_t done = blocks().decode(in, static_cast<std::size_t>(end - in), out);
      in += done;
      out += done / 4 * 3;
      for (; end - in >= 4; in += 4, out += 3) {
        const std::uint32_t group = kDecode[0][in[0]] | kDecode[1][in[1]] | kDecode[2][in[2]] | kDecode[3][in[3]];
        if ((group & kInvalid) != 0) break;
        put_bytes(out, group, 3);
      }
      if (in == end) break;
    }
    const unsigned char character = *in++;
    if (character == '=') {
      // Padding stands only in the third and fourth place; after it only more padding.
      bad_ = count_ < 2;
      ++padding_;
    } else {
      const std::uint32_t bits = kDecode[3][character];
      bad_ = bits == kInvalid || padding_ != 0;
      if (!bad_) group_ |= bits << (18 - 6 * count_);
    }
    if (bad_ || ++count_ < 4) continue;
    const std::size_t bytes = 3 - padding_;
    // What the padding cuts off must be zero.
    bad_ = (group_ & ((std::uint32_t{1} << (8 * padding_)) - 1)) != 0;
    if (bad_) break;
    put_bytes(out, group_, bytes);
    out += bytes;
    group_ = 0;
    count_ = 0;
  }
  written = static_cast<std::size_t>(out - begin);
  return !bad_;
}

bool Base64Decoder::finish() const noexcept {
  return !bad_ && count_ == 0;
}

}  // namespace attache::sdk
