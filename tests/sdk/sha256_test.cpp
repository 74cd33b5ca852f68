// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <attache/sdk/sha256.hpp>

namespace attache::sdk {
namespace {

// FIPS 180-2, appendix B, and the empty message.
constexpr const char* kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(to_hex(sha256("")), kEmpty);
  EXPECT_EQ(to_hex(sha256("abc")), kAbc);
}

TEST(Sha256, PiecesAndStartingAnew) {
  Sha256 hash;
  hash.update(std::string_view("a"));
  hash.update(std::string_view("bc"));
  EXPECT_EQ(to_hex(hash.finish()), kAbc);
  EXPECT_EQ(to_hex(hash.finish()), kEmpty);
  Sha256 moved = std::move(hash);
  moved.update(std::string_view("abc"));
  EXPECT_EQ(to_hex(moved.finish()), kAbc);
}

}  // namespace
}  // namespace attache::sdk
