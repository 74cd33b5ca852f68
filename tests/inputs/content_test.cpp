// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/content.hpp"

#include <random>

#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using inputs::Format;
using inputs::MemoryView;

void expect_size(Format format, const std::string& content, std::uint64_t width, std::uint64_t height) {
  const auto size = inputs::pixel_size(format, MemoryView(as_bytes(content)));
  ASSERT_TRUE(size);
  EXPECT_EQ(size->width, width);
  EXPECT_EQ(size->height, height);
}

/// No prefix of a header may be taken for another size, or read past its end.
void expect_no_size_in_prefixes(Format format, const std::string& content) {
  const auto whole = inputs::pixel_size(format, MemoryView(as_bytes(content)));
  ASSERT_TRUE(whole);
  for (std::size_t length = 0; length < content.size(); ++length) {
    const std::string part = content.substr(0, length);
    const auto size = inputs::pixel_size(format, MemoryView(as_bytes(part)));
    EXPECT_TRUE(!size || (size->width == whole->width && size->height == whole->height)) << length;
  }
  EXPECT_FALSE(inputs::pixel_size(format, MemoryView(as_bytes(std::string_view(content).substr(0, 9)))));
}

TEST(PixelSize, OfEveryFormat) {
  expect_size(Format::png, png(2001, 7), 2001, 7);
  expect_size(Format::jpeg, jpeg(640, 481), 640, 481);
  expect_size(Format::jpeg, jpeg(640, 481, 200000), 640, 481);
  expect_size(Format::gif, gif(300, 2), 300, 2);
  expect_size(Format::bmp, bmp(12, 5), 12, 5);
  expect_size(Format::bmp, bmp(12, -5), 12, 5);
  expect_size(Format::webp, webp_lossless(16383, 2), 16383, 2);
  expect_size(Format::webp, webp_extended(70000, 3), 70000, 3);
  expect_size(Format::webp, webp_lossy(640, 480), 640, 480);
}

TEST(PixelSize, NeedsAWholeHeader) {
  expect_no_size_in_prefixes(Format::png, png(2001, 7));
  expect_no_size_in_prefixes(Format::jpeg, jpeg(640, 481));
  expect_no_size_in_prefixes(Format::gif, gif(300, 2));
  expect_no_size_in_prefixes(Format::bmp, bmp(12, 5));
  expect_no_size_in_prefixes(Format::webp, webp_lossless(100, 2));
  expect_no_size_in_prefixes(Format::webp, webp_extended(100, 2));
  expect_no_size_in_prefixes(Format::webp, webp_lossy(100, 2));
}

TEST(PixelSize, ASegmentOfLengthZeroDoesNotLoop) {
  const std::string content = std::string("\xff\xd8", 2) + std::string(20000, '\xff');
  EXPECT_FALSE(inputs::pixel_size(Format::jpeg, MemoryView(as_bytes(content))));
  const std::string zeros = std::string("\xff\xd8\xff\xe0", 4) + std::string(20000, '\0');
  EXPECT_FALSE(inputs::pixel_size(Format::jpeg, MemoryView(as_bytes(zeros))));
}

TEST(Mp3, FramesAreToldFromChance) {
  const auto has = [](const std::string& content) { return inputs::mp3_has_frames(MemoryView(as_bytes(content))); };
  EXPECT_TRUE(has(mp3()));
  EXPECT_TRUE(has(mp3() + mp3()));
  EXPECT_TRUE(has(mp3() + "TAG" + std::string(125, '\0')));
  const std::string tag("ID3\4\0\0\0\0\1\0", 10);
  EXPECT_TRUE(has(tag + std::string(128, 't') + mp3()));
  EXPECT_FALSE(has(tag + std::string(128, 't')));
  EXPECT_FALSE(has("\xff\xfb\x90\x64" + std::string(100, '\0')));
  EXPECT_FALSE(has(mp3() + "garbage"));
  EXPECT_FALSE(has(""));
}

TEST(Wav, NeedsAFormatChunk) {
  const auto has = [](const std::string& content) { return inputs::wav_has_format(MemoryView(as_bytes(content))); };
  EXPECT_TRUE(has(wav()));
  const std::string junk = std::string("JUNK\3\0\0\0abc\0", 12);
  EXPECT_TRUE(has(wav().substr(0, 12) + junk + wav().substr(12)));
  EXPECT_FALSE(has(wav().substr(0, 12)));
  EXPECT_FALSE(has(wav().substr(0, 30)));
  EXPECT_FALSE(has(wav().substr(0, 12) + std::string("data\xff\xff\xff\xff", 8)));
}

/// For the sanitizers: whatever the bytes, nothing past their end is read and everything ends.
TEST(Content, DamagedBytesAreReadInBounds) {
  std::minstd_rand random(7);
  const std::string lock = " /Encrypt << /V 2 /O (a\\)b) >>";
  for (const std::string& whole :
       {png(3, 3), jpeg(3, 3, 50), gif(3, 3), bmp(3, 3), webp_lossless(3, 3), webp_extended(3, 3), webp_lossy(3, 3),
        iso_media("mif1", "mif1heic"), wav(), mp3() + mp3(), pdf(lock), pdf_with_reference_stream(lock)}) {
    const Format format = inputs::detect(as_bytes(whole));
    for (int i = 0; i < 300; ++i) {
      std::string damaged = whole.substr(0, 1 + random() % whole.size());
      for (int change = 0; change < 3; ++change) damaged[random() % damaged.size()] = static_cast<char>(random());
      damaged.shrink_to_fit();
      const MemoryView view(as_bytes(damaged));
      inputs::detect(as_bytes(damaged));
      inputs::check_content(format, view);
    }
  }
}

using ContentTest = InputsTest;

TEST_F(ContentTest, AnImageWithoutAReadableHeaderIsRefused) {
  const std::string cut = png(1, 1).substr(0, 20);
  expect_refusal({bytes(Kind::image, "image/png", cut)}, errc::input_invalid, "image_header_invalid");
  const std::string no_frame("\xff\xd8\xff\xd9", 4);
  expect_refusal({bytes(Kind::image, "image/jpeg", no_frame)}, errc::input_invalid, "image_header_invalid");
  const std::string whole = png(1, 1);
  expect_delivered(bytes(Kind::image, "image/png", whole), whole);
}

TEST_F(ContentTest, SoundWithoutFramesOrFormatIsRefused) {
  driver.inputs.audio.modes = {mode(input::Mode::native, {"audio/*"}, "base64")};
  const std::string no_format = wav().substr(0, 12), no_frames = "ID3" + std::string(20, '\0');
  expect_refusal({bytes(Kind::audio, "audio/wav", no_format)}, errc::input_invalid, "audio_header_invalid");
  expect_refusal({bytes(Kind::audio, "audio/mpeg", no_frames)}, errc::input_invalid, "audio_header_invalid");
  const std::string sound = wav(), song = mp3(), speech = ogg_opus();
  expect_delivered(bytes(Kind::audio, "audio/x-wav", sound), sound);
  expect_delivered(bytes(Kind::audio, "audio/mpeg", song), song);
  expect_delivered(bytes(Kind::audio, "audio/ogg", speech), speech);
}

TEST_F(ContentTest, TextThatIsSentAsTextMustBeUtf8) {
  for (const std::string bad : {"caf\xe9", "lone \xed\xa0\x80", "cut \xe2\x82", "over \xc0\xaf"}) {
    expect_refusal({bytes(Kind::file, "text/plain", bad)}, errc::input_invalid, "text_not_utf8");
  }
  const std::string good = "caf\xc3\xa9 \xf0\x9f\x98\x80 \r\n", latin = "caf\xe9";
  expect_delivered(bytes(Kind::file, "text/plain", good), good);
  driver.inputs.file.modes[1].encoding = "base64";
  expect_delivered(bytes(Kind::file, "text/plain", latin), latin);
}

}  // namespace
}  // namespace attache::testing
