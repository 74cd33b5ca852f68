// SPDX-License-Identifier: Apache-2.0
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using ExpectationsTest = InputsTest;

TEST_F(ExpectationsTest, R_B1_ZeroByteImage) {
  expect_refusal({input::from_path(Kind::image, file("a.png", "")).media_type("image/png")}, errc::input_invalid,
                 "empty");
  expect_refusal({bytes(Kind::image, "image/png", "")}, errc::input_invalid, "empty");
}

TEST_F(ExpectationsTest, R_B4_CutOffFileWithADigest) {
  const std::string whole = png_padded(4096);
  const std::string half = whole.substr(0, 2048);
  const auto given = input::from_path(Kind::image, file("a.png", half)).media_type("image/png");
  expect_refusal({given.size(4096).sha256(digest_of(whole))}, errc::input_digest_mismatch, "digest_mismatch");
  expect_refusal({given.sha256(digest_of(whole))}, errc::input_digest_mismatch, "digest_mismatch");
  expect_refusal({given.size(4096)}, errc::input_invalid, "size_mismatch");
  expect_refusal({given.size(2047).sha256(digest_of(half))}, errc::input_invalid, "size_mismatch");
  expect_delivered(given.size(2048).sha256(digest_of(half)), half);
}

TEST_F(ExpectationsTest, APeekOfExactlyTheWholeAndAroundIt) {
  for (const std::size_t size : {65535u, 65536u, 65537u, 65536u + 262144u, 65537u + 262144u}) {
    const std::string content = png_padded(size);
    expect_delivered(input::from_path(Kind::image, file("a.png", content)).size(size).sha256(digest_of(content)),
                     content);
  }
}

}  // namespace
}  // namespace attache::testing
