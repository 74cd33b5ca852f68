// SPDX-License-Identifier: Apache-2.0
#include "side_hash.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <attache/sdk/sha256.hpp>

namespace attache::sdk {
namespace {

/// Pieces of all sizes out of a ring of four buffers, as a sender uses it.
std::string side_hash(std::string_view text, bool thread) {
  constexpr std::size_t size = std::size_t{64} << 10;
  std::array<std::array<std::uint8_t, size>, 4> ring;
  SideHash hash(thread);
  for (std::size_t at = 0, i = 0; at < text.size(); ++i) {
    hash.wait(ring.size() - 1);
    const std::size_t count = std::min(i % 3 == 0 ? 1 + i : size, text.size() - at);
    auto& piece = ring[i % ring.size()];
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), count, piece.begin());
    hash.add(std::span(piece).first(count));
    at += count;
  }
  return to_hex(hash.finish());
}

TEST(SideHash, IsTheSameAsSha256) {
  std::string text(std::size_t{5} << 20, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * i >> 7);
  const std::string expected = to_hex(sha256(text));
  for (int round = 0; round < 20; ++round) EXPECT_EQ(side_hash(text, true), expected);
  EXPECT_EQ(side_hash(text, false), expected);
  EXPECT_EQ(side_hash("", true), to_hex(sha256("")));
}

TEST(SideHash, IsLeftWithWorkInHand) {
  const std::vector<std::uint8_t> bytes(std::size_t{1} << 20);
  for (int round = 0; round < 20; ++round) {
    SideHash hash(true);
    for (int i = 0; i < 8; ++i) hash.add(bytes);
  }
}

}  // namespace
}  // namespace attache::sdk
