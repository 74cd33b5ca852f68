// SPDX-License-Identifier: Apache-2.0
#include "inputs/prompt.hpp"
#include "inputs/utf8.hpp"
#include "support/bench.hpp"

namespace attache::testing {
namespace {

std::string prompt_reason(std::string_view prompt, std::size_t inputs) {
  try {
    inputs::check_prompt(prompt, inputs);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), errc::input_invalid);
    EXPECT_FALSE(error.index());
    return error.reason();
  }
  return "good";
}

TEST(Prompt, R_F10_BrokenUtf8) {
  EXPECT_EQ(prompt_reason("x \xed\xa0\x80", 1), "prompt_not_utf8");
  EXPECT_EQ(prompt_reason("\xff", 1), "prompt_not_utf8");
  EXPECT_EQ(prompt_reason("caf\xc3\xa9 \xf0\x9f\x98\x80", 1), "good");
}

TEST(Prompt, R_E6_EmptyOnlyBesideInputs) {
  EXPECT_EQ(prompt_reason("", 0), "prompt_empty");
  EXPECT_EQ(prompt_reason("", 1), "good");
  EXPECT_EQ(prompt_reason("x", 0), "good");
}

TEST(Utf8, IsStrict) {
  for (const auto* good : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(inputs::is_utf8(good)) << good;
  }
  for (const auto* bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xff", "\xe2\x82\x41"}) {
    EXPECT_FALSE(inputs::is_utf8(bad)) << bad;
  }
}

TEST(TextMeasure, AgreesWithTheWholeInAnyPieces) {
  const std::string text = "a\"\\\n\x01\xc3\xa9\xf0\x9f\x98\x80\x7f";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    inputs::TextMeasure measure;
    measure.update(as_bytes(text.substr(0, cut)));
    measure.update(as_bytes(text.substr(cut)));
    EXPECT_TRUE(measure.valid());
    EXPECT_EQ(measure.json_length(), 1u + 2 + 2 + 2 + 6 + 2 + 4 + 1);
  }
  inputs::TextMeasure cut;
  cut.update(as_bytes("\xe2\x82"));
  EXPECT_FALSE(cut.valid());
  cut.update(as_bytes("\xac"));
  EXPECT_TRUE(cut.valid());
}

}  // namespace
}  // namespace attache::testing
