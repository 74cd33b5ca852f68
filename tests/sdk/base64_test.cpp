// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <attache/sdk/base64.hpp>

#include "base64_blocks.hpp"

namespace attache::sdk {
namespace {

std::string random_bytes(std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string by_openssl(const std::string& bytes) {
  std::string text(base64_length(bytes.size()) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

/// In pieces of `step`; "bad" unless it is valid to its end.
std::string decode(std::string_view text, std::size_t step) {
  Base64Decoder decoder;
  std::string bytes;
  for (; !text.empty(); text.remove_prefix(std::min(step, text.size()))) {
    const std::string_view piece = text.substr(0, step);
    // Exactly what the contract asks for, so that a write beyond it is caught.
    std::vector<std::uint8_t> out(piece.size() / 4 * 3 + 3);
    std::size_t written = 0;
    const bool good = decoder.update(piece, out.data(), written);
    bytes.append(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(written));
    if (!good) return "bad";
  }
  return decoder.finish() ? bytes : "bad";
}

TEST(Base64, R_F8_NoLineBreaksAtAnySize) {
  for (const std::size_t size : {81u, 82u, 83u, 10'000u}) {
    const std::string bytes = random_bytes(size);
    const std::string text = base64_encode(bytes);
    EXPECT_EQ(text, by_openssl(bytes));
    EXPECT_EQ(text.find_first_of(" \r\n\t"), std::string::npos);
    EXPECT_EQ(decode(text, text.size()), bytes);
  }
}

TEST(Base64, EverySmallSizeRoundTripsAtEverySplit) {
  for (std::size_t size = 0; size < 70; ++size) {
    const std::string bytes = random_bytes(size);
    const std::string text = base64_encode(bytes);
    ASSERT_EQ(text, by_openssl(bytes));
    ASSERT_EQ(text.size(), base64_length(size));
    for (std::size_t step = 1; step <= text.size() + 1; ++step)
      ASSERT_EQ(decode(text, step), bytes) << size << ' ' << step;
  }
}

TEST(Base64, PiecesOfThreeJoinToTheWhole) {
  const std::string bytes = random_bytes(1000);
  std::string text(base64_length(bytes.size()), '\0');
  std::size_t written = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 33) {
    const std::string piece = bytes.substr(at, 33);
    written +=
        base64_encode({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()}, text.data() + written);
  }
  EXPECT_EQ(written, text.size());
  EXPECT_EQ(text, by_openssl(bytes));
}

TEST(Base64, EveryByteValueRoundTrips) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(decode(base64_encode(bytes), 7), bytes);
}

TEST(Base64, TheDecoderIsStrict) {
  ASSERT_EQ(decode("QUJDRA==", 3), "ABCD");
  ASSERT_EQ(decode("QUJDREU=", 3), "ABCDE");
  for (const std::string_view text : {
           "QUJD RA==", "QUJD\nRA==", "QUJDRA==\n", " QUJDRA==", "QUJDRA==\r\n",                   // white space
           "QUJDRA",    "QUJDRA=",    "QUJDREU",    "Q",         "QU",           "QUJ",            // missing padding
           "QUJDRA===", "QUJDRA====", "QUJDREU==",  "====",      "=QUJ",         "Q===",  "Q=JD",  // misplaced padding
           "QU=D",      "QU=A",       "QQ=A",       "QU==QUJD",  "QUI=QUJD",     "QUJD=",          // something after it
           "QUJDRB==",  "QUJDREV=",   "QUJDR/==",                                                  // trailing bits
           "-_-_",      "QUJ-",       "QUJ_",                                                      // the URL alphabet
           "QUJ*",      "QU\xffJ",                                                                 // foreign characters
       }) {
    for (std::size_t step = 1; step <= text.size(); ++step) EXPECT_EQ(decode(text, step), "bad") << text << ' ' << step;
  }
  EXPECT_EQ(decode(std::string_view("QUJ\0", 4), 4), "bad");
}

TEST(Base64, AFaultStays) {
  Base64Decoder decoder;
  std::uint8_t out[16];
  std::size_t written = 9;
  EXPECT_FALSE(decoder.update("QU*D", out, written));
  EXPECT_EQ(written, 0u);
  EXPECT_FALSE(decoder.update("QUJD", out, written));
  EXPECT_FALSE(decoder.finish());
}

/// Everything that both paths must do alike; the other tests of this file run on the best one.
class Base64Paths : public ::testing::TestWithParam<bool> {
 protected:
  Base64Paths() { use_base64_blocks(GetParam() ? &base64_portable : nullptr); }
  ~Base64Paths() override { use_base64_blocks(nullptr); }
};

TEST_P(Base64Paths, EverySizeUpTo512IsWhatOpenSslWrites) {
  for (std::size_t size = 0; size <= 512; ++size) {
    const std::string bytes = random_bytes(size);
    const std::string text = base64_encode(bytes);
    ASSERT_EQ(text, by_openssl(bytes)) << size;
    ASSERT_EQ(decode(text, text.size() + 1), bytes) << size;
    ASSERT_EQ(decode(text, 45), bytes) << size;  // begins inside of a group, with just room for a large step
  }
}

TEST_P(Base64Paths, RandomBigOnesAreWhatOpenSslWrites) {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const std::string bytes = random_bytes(100'000 + random() % 200'000);
    const std::string text = base64_encode(bytes);
    ASSERT_TRUE(text == by_openssl(bytes)) << bytes.size();
    ASSERT_TRUE(decode(text, 1 + random() % text.size()) == bytes) << bytes.size();
  }
}

TEST_P(Base64Paths, EveryByteValueAtEveryPlaceOfALargeStep) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t place = 0; place < 64; ++place) {
    for (int value = 0; value < 256; ++value) {
      std::string text(64, 'A');
      text[place] = static_cast<char>(value);
      const bool good = alphabet.find(text[place]) != std::string_view::npos || (value == '=' && place == 63);
      ASSERT_EQ(decode(text, text.size()) != "bad", good) << place << ' ' << value;
    }
  }
}

TEST_P(Base64Paths, EncodesNothingBeyondItsOutput) {
  for (std::size_t size = 0; size <= 200; ++size) {
    const std::string bytes = random_bytes(size);
    // Exact allocations, for the address sanitizer.
    const std::vector<std::uint8_t> in(bytes.begin(), bytes.end());
    std::vector<char> out(base64_length(size));
    ASSERT_EQ(base64_encode(in, out.data()), out.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, Base64Paths, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "Portable" : "Best"; });

TEST(Base64, TheBestPathIsTheWideOneWhereTheCpuHasIt) {
  std::ifstream file("/proc/cpuinfo");
  const std::string about{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(&best_base64_blocks() != &base64_portable, about.find(" avx2 ") != std::string::npos);
}

TEST(Base64, BothPathsGiveOneVerdictOnCorruptedText) {
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = base64_encode(random_bytes(random() % 300));
    for (std::size_t faults = random() % 3; faults != 0 && !text.empty(); --faults) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          break;
        case 2:
          text.insert(at, 1, "=\n -_A"[random() % 6]);
          break;
        default:
          text[at] = '=';
      }
    }
    const std::size_t step = 1 + random() % 400;
    use_base64_blocks(&base64_portable);
    const std::string portable = decode(text, step);
    use_base64_blocks(nullptr);
    ASSERT_EQ(decode(text, step), portable) << text << ' ' << step;
    refused += portable == "bad" ? 1 : 0;
  }
  EXPECT_GT(refused, 5'000);
}

}  // namespace
}  // namespace attache::sdk
