// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;

class LimitsTest : public InputsTest {
 protected:
  input::Input image(const std::string& content) const { return bytes(Kind::image, "image/png", content); }

  void expect_limit(const std::vector<input::Input>& given, std::string_view reason, std::uint64_t limit,
                    std::string_view owner, std::optional<std::size_t> index) const {
    const InputError error = refuse(given);
    EXPECT_EQ(error.code(), errc::input_too_large) << error.what();
    EXPECT_EQ(error.reason(), reason) << error.what();
    EXPECT_EQ(error.limit(), limit) << error.what();
    EXPECT_EQ(error.limit_owner(), owner) << error.what();
    EXPECT_EQ(error.index(), index) << error.what();
  }
};

TEST_F(LimitsTest, R_C1_TheEncodedSizeCounts) {
  driver.inputs.image.modes[0].max_encoded_bytes = 5242880;
  limits.max_input_bytes = 5 << 20;
  const std::string fits = png_padded(3932160), over = png_padded(3932161);
  expect_delivered(image(fits), fits);
  expect_limit({image(over)}, "encoded_bytes_limit", 5242880, "driver", 0);
}

TEST_F(LimitsTest, TheEncodedSizeOfTextCountsEscapes) {
  driver.inputs.file.modes[1].max_encoded_bytes = 100;
  const std::string fits(100, 'a'), over(101, 'a'), escaped(51, '\n');
  expect_delivered(bytes(Kind::file, "text/plain", fits), fits);
  expect_limit({bytes(Kind::file, "text/plain", over)}, "encoded_bytes_limit", 100, "driver", 0);
  expect_limit({bytes(Kind::file, "text/plain", escaped)}, "encoded_bytes_limit", 100, "driver", 0);
}

TEST_F(LimitsTest, R_C2_ManyImagesTogether) {
  limits.max_count = 100;
  driver.inputs.limits.many_images = {20, 2000};
  const std::string wide = png(2001, 1), narrow = png(2000, 1);
  EXPECT_NO_THROW(accept(std::vector(20, image(wide))));
  EXPECT_NO_THROW(accept(std::vector(21, image(narrow))));
  expect_limit(std::vector(21, image(wide)), "many_images_side_limit", 2000, "driver", 0);
  auto one_wide = std::vector(20, image(narrow));
  one_wide.push_back(image(wide));
  expect_limit(one_wide, "many_images_side_limit", 2000, "driver", 20);
}

TEST_F(LimitsTest, R_C3_TheLongestSide) {
  driver.inputs.image.modes[0].max_side_px = 8000;
  const std::string fits = png(8000, 1), wide = png(8001, 1), high = png(1, 8001);
  expect_delivered(image(fits), fits);
  expect_limit({image(wide)}, "side_limit", 8000, "driver", 0);
  expect_limit({image(high)}, "side_limit", 8000, "driver", 0);
  const std::string late = jpeg(8001, 1, 100000);
  expect_limit({bytes(Kind::image, "image/jpeg", late)}, "side_limit", 8000, "driver", 0);
}

TEST_F(LimitsTest, R_C4_R_C5_CountsOfASetAndOfAMode) {
  limits.max_count = 50;
  const std::string picture = png(1, 1), document = pdf();
  const auto page = bytes(Kind::file, "application/pdf", document);
  driver.inputs.limits.max_count = 20;
  EXPECT_NO_THROW(accept(std::vector(20, image(picture))));
  expect_limit(std::vector(21, image(picture)), "count_limit", 20, "driver", std::nullopt);
  driver.inputs.file.modes[0].max_count = 5;
  EXPECT_NO_THROW(accept(std::vector(5, page)));
  expect_limit(std::vector(6, page), "count_limit", 5, "driver", std::nullopt);
  EXPECT_EQ(refuse(std::vector(6, page)).kind(), Kind::file);
}

TEST_F(LimitsTest, R_C7_TheTotalCounts) {
  const std::string picture = png_padded(900);  // 1200 encoded
  driver.inputs.limits.max_total_encoded_bytes = 2500;
  prompt_bytes = 100;
  EXPECT_NO_THROW(accept(std::vector(2, image(picture))));
  prompt_bytes = 101;
  expect_limit(std::vector(2, image(picture)), "total_encoded_limit", 2500, "driver", std::nullopt);
  driver.inputs.limits = {};
  driver.inputs.limits.max_total_bytes = 1800;
  EXPECT_NO_THROW(accept(std::vector(2, image(picture))));
  driver.inputs.limits.max_total_bytes = 1799;
  expect_limit(std::vector(2, image(picture)), "total_bytes_limit", 1799, "driver", std::nullopt);
}

TEST_F(LimitsTest, AReferenceIsNotInTheEncodedTotal) {
  driver.inputs.image.modes = {mode(input::Mode::workspace_reference, {})};
  driver.inputs.limits.max_total_encoded_bytes = 10;
  const std::string picture = png(1, 1);
  expect_delivered(image(picture), picture);
}

TEST_F(LimitsTest, R_C8_ZeroSelectsTheDefault) {
  const auto sparse = file("sparse.png", png(1, 1));
  ASSERT_EQ(::truncate(sparse.c_str(), off_t{4} << 30), 0);
  expect_limit({input::from_path(Kind::image, sparse)}, "input_bytes_limit", InputLimits::default_max_input_bytes,
               "host", 0);
  const std::string tiny = png(1, 1);
  expect_limit(std::vector(10000, image(tiny)), "count_limit", InputLimits::default_max_count, "host", std::nullopt);
  EXPECT_NO_THROW(accept(std::vector(20, image(tiny))));
  const auto third = file("third.png", png(1, 1));
  ASSERT_EQ(::truncate(third.c_str(), 24 << 20), 0);
  expect_limit(std::vector(3, input::from_path(Kind::image, third)), "total_bytes_limit",
               InputLimits::default_max_total_bytes, "host", std::nullopt);
}

TEST_F(LimitsTest, TheSmallerLimitWinsAndSaysWhoseItIs) {
  const std::string content = png_padded(500);
  limits.max_input_bytes = 499;
  driver.inputs.image.modes[0].max_bytes = 600;
  expect_limit({image(content)}, "input_bytes_limit", 499, "host", 0);
  limits.max_input_bytes = 600;
  driver.inputs.image.modes[0].max_bytes = 499;
  expect_limit({image(content)}, "input_bytes_limit", 499, "driver", 0);
  driver.inputs.image.modes[0].max_bytes = 500;
  limits.max_input_bytes = 500;
  expect_delivered(image(content), content);
  limits.max_count = 1;
  driver.inputs.limits.max_count = 1;
  expect_limit({image(content), image(content)}, "count_limit", 1, "driver", std::nullopt);
}

TEST_F(LimitsTest, ErrorsOfTheHostsLimitsDoNotSuggestAnotherType) {
  const std::string content = png_padded(500);
  limits.max_input_bytes = 499;
  EXPECT_EQ(refuse({image(content)}).alternative(), "");
  driver.inputs.image.modes[0].max_bytes = 498;
  const auto error = refuse({image(content)});
  EXPECT_EQ(error.alternative(), "send it as PNG");
  EXPECT_STREQ(error.what(),
               "input 1 (image, image/png): it has too many bytes (limit of the driver: 498); send it as PNG");
}

}  // namespace
}  // namespace attache::testing
