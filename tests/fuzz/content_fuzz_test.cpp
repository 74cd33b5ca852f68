// SPDX-License-Identifier: Apache-2.0
// Damaged media through every content parser: it comes back, and reads a bounded part.
#include <ostream>

#include <gtest/gtest.h>

#include "damage.hpp"
#include "inputs/content/byte_view.hpp"
#include "inputs/content/content.hpp"
#include "inputs/signature.hpp"
#include "support/media.hpp"

namespace attache::test {
namespace {

using inputs::Format;

/// Memory in an allocation of exactly its size, so that a sanitizer sees a read past its end; counts what is read.
class CountedView final : public inputs::ByteView {
 public:
  explicit CountedView(std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) { bytes_.shrink_to_fit(); }
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const override {
    ++reads;
    const std::size_t count = inputs::MemoryView(all()).read(offset, out);
    read_bytes += count;
    return count;
  }
  std::span<const std::byte> all() const { return std::as_bytes(std::span<const char>(bytes_)); }
  mutable std::uint64_t reads = 0, read_bytes = 0;

 private:
  std::vector<char> bytes_;
};

struct Sample {
  const char* name;
  Format format;
  std::string whole;
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.name;
}

std::vector<Sample> samples() {
  using namespace attache::testing;
  return {{"Png", Format::png, png(1, 1)},
          {"Jpeg", Format::jpeg, jpeg(1, 1, 400)},
          {"Gif", Format::gif, gif(1, 1, 2)},
          {"WebpLossless", Format::webp, webp_lossless(1, 1)},
          {"WebpLossy", Format::webp, webp_lossy(1, 1)},
          {"WebpExtended", Format::webp, webp_extended(1, 1)},
          {"Bmp", Format::bmp, bmp(1, 1)},
          {"Pdf", Format::pdf, pdf()},
          {"PdfReferenceStream", Format::pdf, pdf_with_reference_stream()},
          {"PdfLongTable", Format::pdf, pdf_with_long_table(50)},
          {"Wav", Format::wav, wav()},
          {"Mp3", Format::mp3_frame, mp3()}};
}

/// What the parsers of the format say of the bytes: true, they take them.
bool taken(Format format, const CountedView& view) {
  bool good = !inputs::check_content(format, view).has_value();
  if (inputs::has_pixel_size(format)) {
    const auto size = inputs::pixel_size(format, view);
    good = good && size.has_value();
  }
  return good;
}

class ContentFuzz : public ::testing::TestWithParam<Sample> {};

TEST_P(ContentFuzz, DamageIsTakenOrRefusedAndReadInBounds) {
  const Sample& sample = GetParam();
  ASSERT_TRUE(taken(sample.format, CountedView(sample.whole)));
  Damage damage(20261201);
  int good = 0, bad = 0;
  for (int round = 0; round < 5000; ++round) {
    const CountedView view(damage.apply(sample.whole));
    taken(sample.format, view) ? ++good : ++bad;
    // A bounded number of looks at it, and no more than a few times its size.
    ASSERT_LE(view.reads, 64 + 8 * view.size()) << round;
    ASSERT_LE(view.read_bytes, 64 * view.size() + (64U << 10)) << round;
  }
  EXPECT_GT(bad, 50);
  EXPECT_GT(good, 50);
}

TEST_P(ContentFuzz, DamageIsKnownByItsSignatureOrNot) {
  const Sample& sample = GetParam();
  ASSERT_EQ(inputs::detect(CountedView(sample.whole).all()), sample.format);
  Damage damage(20261203);
  int known = 0, other = 0;
  for (int round = 0; round < 5000; ++round) {
    // Only the start: what is behind it does not matter to a signature.
    const std::string start = damage.apply(std::string_view(sample.whole).substr(0, 32));
    inputs::detect(CountedView(start).all()) == sample.format ? ++known : ++other;
  }
  EXPECT_GT(known, 50);
  EXPECT_GT(other, 50);
}

TEST_P(ContentFuzz, AnyBytesAndAnyEnd) {
  const Sample& sample = GetParam();
  Damage damage(7);
  for (std::size_t length = 0; length < sample.whole.size(); ++length) {
    (void)taken(sample.format, CountedView(std::string_view(sample.whole).substr(0, length)));
    // The marker of the format, and then anything.
    const std::string start = sample.whole.substr(0, std::min<std::size_t>(length, 16));
    (void)taken(sample.format, CountedView(start + damage.noise(damage.below(512))));
  }
  EXPECT_FALSE(taken(sample.format, CountedView("")));
}

INSTANTIATE_TEST_SUITE_P(Seeded, ContentFuzz, ::testing::ValuesIn(samples()),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace attache::test
