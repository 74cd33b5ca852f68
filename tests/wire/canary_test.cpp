// SPDX-License-Identifier: Apache-2.0
#include "canary/canary.hpp"

#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include <attache/sdk/sha256.hpp>

#include "wire_support.hpp"

namespace attache::conformance {
namespace {

using namespace std::string_literals;

constexpr input::Kind kinds[] = {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video};

std::uint32_t big(const std::string& bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value = (value << 8u) | static_cast<unsigned char>(bytes.at(at + i));
  }
  return value;
}
std::uint32_t little(const std::string& bytes, std::size_t at) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at))) |
         (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at + 1))) << 8u) |
         (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at + 2))) << 16u) |
         (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at + 3))) << 24u);
}

std::uint32_t plain_crc(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1u) != 0 ? (crc >> 1u) ^ 0xedb88320u : crc >> 1u;
    }
  }
  return ~crc;
}

class EachType : public testing::Test {
 protected:
  template <class Check>
  void each(std::uint64_t size, const Check& check) {
    for (const input::Kind kind : kinds) {
      for (const std::string& type : canary_types(kind)) {
        SCOPED_TRACE(type);
        const Canary canary = make_canary(kind, type, size, random_, folder_.path());
        check(canary, read_file(canary.path));
      }
    }
  }
  std::string make(input::Kind kind, const std::string& type, std::uint64_t size) {
    return read_file(make_canary(kind, type, size, random_, folder_.path()).path);
  }
  TempFolder folder_;
  Random random_{7};
};

TEST_F(EachType, SizeDigestAndMarkAreThoseOfTheFile) {
  for (const std::uint64_t size : {0ull, 5000ull}) {
    each(size, [](const Canary& canary, const std::string& bytes) {
      EXPECT_EQ(canary.size, bytes.size());
      EXPECT_EQ(canary.sha256, sdk::sha256(bytes));
      EXPECT_NE(bytes.find(canary.mark), std::string::npos);
      EXPECT_GE(canary.mark.size(), 32u);
      EXPECT_EQ(canary.path.filename().string(), canary.name);
    });
  }
}

TEST_F(EachType, EverySizeFromTheStatedOneOnIsMetToTheByte) {
  for (const std::uint64_t size : {canary_min_exact_size(), canary_min_exact_size() + 1, std::uint64_t{65531},
                                   std::uint64_t{131099}, std::uint64_t{512000}, std::uint64_t{512001}}) {
    each(size, [size](const Canary& canary, const std::string&) { EXPECT_EQ(canary.size, size); });
  }
}

TEST_F(EachType, EveryRemainderOfTheGifAndOggPaddingIsMet) {
  Random random(3);
  for (std::uint64_t size = 5000; size < 5300; ++size) {
    EXPECT_EQ(make_canary(input::Kind::image, "image/gif", size, random, folder_.path()).size, size);
    EXPECT_EQ(make_canary(input::Kind::audio, "audio/ogg", size + 60000, random, folder_.path()).size, size + 60000);
  }
}

TEST_F(EachType, OneSeedGivesOneContentAndTwoGiveTwo) {
  const auto digests = [&](std::uint64_t seed) {
    std::vector<input::Digest> list;
    Random random(seed);
    TempFolder folder;
    for (const input::Kind kind : kinds) {
      for (const std::string& type : canary_types(kind)) {
        list.push_back(make_canary(kind, type, 4096, random, folder.path()).sha256);
      }
    }
    return list;
  };
  const auto first = digests(1);
  EXPECT_EQ(first, digests(1));
  const auto second = digests(2);
  std::set<input::Digest> all(first.begin(), first.end());
  all.insert(second.begin(), second.end());
  EXPECT_EQ(all.size(), first.size() * 2);
}

TEST_F(EachType, BeginsWithTheSignatureOfItsType) {
  const std::map<std::string, std::pair<std::size_t, std::string>> signatures{{"image/png", {0, "\x89PNG\r\n\x1a\n"}},
                                                                              {"image/jpeg", {0, "\xff\xd8\xff"}},
                                                                              {"image/gif", {0, "GIF89a"}},
                                                                              {"image/webp", {8, "WEBPVP8X"}},
                                                                              {"image/bmp", {0, "BM"}},
                                                                              {"image/tiff", {0, "II*\0"s}},
                                                                              {"image/heic", {4, "ftypheic"}},
                                                                              {"application/pdf", {0, "%PDF-1.4"}},
                                                                              {"text/plain", {0, "Canary"}},
                                                                              {"text/csv", {0, "id,value"}},
                                                                              {"text/markdown", {0, "# "}},
                                                                              {"text/html", {0, "<!DOCTYPE html>"}},
                                                                              {"application/json", {0, "{\"mark\""}},
                                                                              {"audio/wav", {8, "WAVEfmt "}},
                                                                              {"audio/mpeg", {0, "ID3\x03"}},
                                                                              {"audio/ogg", {0, "OggS"}},
                                                                              {"audio/flac", {0, "fLaC"}},
                                                                              {"audio/mp4", {4, "ftypM4A "}},
                                                                              {"audio/webm", {0, "\x1a\x45\xdf\xa3"}},
                                                                              {"video/mp4", {4, "ftypisom"}},
                                                                              {"video/quicktime", {4, "ftypqt  "}},
                                                                              {"video/webm", {0, "\x1a\x45\xdf\xa3"}}};
  each(0, [&](const Canary& canary, const std::string& bytes) {
    const auto& [at, text] = signatures.at(canary.media_type);
    EXPECT_EQ(bytes.substr(at, text.size()), text);
  });
}

TEST_F(EachType, PngChunksHaveRightLengthsAndChecksums) {
  for (const std::uint64_t size : {0ull, 100000ull, 3000000ull}) {
    const std::string bytes = make(input::Kind::image, "image/png", size);
    std::string last;
    std::size_t at = 8;
    while (at < bytes.size()) {
      const std::size_t length = big(bytes, at, 4);
      last = bytes.substr(at + 4, 4);
      ASSERT_LE(at + 12 + length, bytes.size());
      EXPECT_EQ(plain_crc(bytes.substr(at + 4, 4 + length)), big(bytes, at + 8 + length, 4)) << last;
      at += 12 + length;
    }
    EXPECT_EQ(last, "IEND");
  }
}

TEST_F(EachType, JpegSegmentsLeadToTheScanAndItsEnd) {
  const std::string bytes = make(input::Kind::image, "image/jpeg", 200000);
  std::size_t at = 2;
  while (static_cast<unsigned char>(bytes.at(at + 1)) != 0xda) {
    ASSERT_EQ(bytes[at], '\xff');
    at += 2 + big(bytes, at + 2, 2);
  }
  for (std::size_t i = at + 2 + big(bytes, at + 2, 2); i + 2 < bytes.size(); ++i) {
    EXPECT_TRUE(bytes[i] != '\xff' || bytes[i + 1] == '\0');
  }
  EXPECT_EQ(bytes.substr(bytes.size() - 2), "\xff\xd9");
}

TEST_F(EachType, GifBlocksEndAtTheTrailer) {
  const std::string bytes = make(input::Kind::image, "image/gif", 10000);
  std::size_t at = 13 + 128 * 3;
  const auto skip_blocks = [&] {
    while (bytes.at(at) != '\0') {
      at += 1 + static_cast<unsigned char>(bytes[at]);
    }
    ++at;
  };
  while (bytes.at(at) == '!') {
    at += 2;
    skip_blocks();
  }
  ASSERT_EQ(bytes.at(at), ',');
  at += 11;
  skip_blocks();
  EXPECT_EQ(bytes.substr(at), ";");
}

TEST_F(EachType, RiffFilesStateTheirSize) {
  for (const auto& [kind, type] :
       {std::pair{input::Kind::image, "image/webp"}, std::pair{input::Kind::audio, "audio/wav"}}) {
    EXPECT_EQ(little(make(kind, type, 0), 4) + 8, make(kind, type, 0).size());
    EXPECT_EQ(little(make(kind, type, 5000), 4) + 8, 5000u);
    EXPECT_EQ(little(make(kind, type, 5001), 4) + 8, 5000u) << "an odd size is met behind the end of the RIFF data";
  }
}

TEST_F(EachType, PdfReferencesPointAtTheirObjects) {
  for (const std::uint64_t size : {0ull, 300000ull}) {
    const std::string bytes = make(input::Kind::file, "application/pdf", size);
    ASSERT_EQ(bytes.substr(bytes.size() - 6), "%%EOF\n");
    const std::size_t start = bytes.rfind("startxref\n");
    const std::size_t xref = std::stoul(bytes.substr(start + 10, 10));
    ASSERT_EQ(bytes.substr(xref, 9), "xref\n0 7\n");
    for (std::size_t object = 1; object < 7; ++object) {
      const std::string entry = bytes.substr(xref + 9 + object * 20, 20);
      EXPECT_EQ(entry.substr(10), " 00000 n \n");
      EXPECT_EQ(bytes.substr(std::stoul(entry.substr(0, 10)), 7), std::to_string(object) + " 0 obj");
    }
  }
}

TEST_F(EachType, JsonIsJsonAndTextIsUtf8) {
  EXPECT_TRUE(nlohmann::json::accept(make(input::Kind::file, "application/json", 20000)));
  for (const std::string& type : canary_types(input::Kind::file)) {
    if (type != "application/pdf") {
      EXPECT_NO_THROW({ const std::string text = nlohmann::json(make(input::Kind::file, type, 9000)).dump(); }) << type;
    }
  }
}

TEST_F(EachType, AKindHasOnlyItsOwnTypes) {
  Random random(1);
  EXPECT_THROW(make_canary(input::Kind::audio, "image/png", 0, random, folder_.path()), std::invalid_argument);
  EXPECT_THROW(make_canary(input::Kind::image, "image/xyz", 0, random, folder_.path()), std::invalid_argument);
  EXPECT_THROW(make_canary(input::Kind::image, "image/png", 0, random, folder_ / "missing"), std::system_error);
}

}  // namespace
}  // namespace attache::conformance
