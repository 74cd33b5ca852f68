// SPDX-License-Identifier: Apache-2.0
#include "terminal_text.hpp"

#include <string>

#include <gtest/gtest.h>

#include "layout.hpp"

namespace attache::cli {
namespace {

TEST(TerminalText, OneLineShowsWhatItDoesNotPass) {
  EXPECT_EQ(one_line("plain ünïcødé 😀"), "plain ünïcødé 😀");
  EXPECT_EQ(one_line("a\nb\tc\rd"), "a\\x0Ab\\x09c\\x0Dd");
  EXPECT_EQ(one_line("\x1b[2J\x7f"), "\\x1B[2J\\x7F");
  EXPECT_EQ(one_line("\u009B31m"), "\\x9B31m");
  EXPECT_EQ(one_line("\u202E\u2066\u200B\u200D\uFEFF\u2028\u061C"),
            "\\u{202E}\\u{2066}\\u{200B}\\u{200D}\\u{FEFF}\\u{2028}\\u{061C}");
  EXPECT_EQ(one_line("\U000E0041"), "\\u{E0041}");
}

TEST(TerminalText, OneLineShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(one_line("a\xFF\xFE"), "a\\xFF\\xFE");
  EXPECT_EQ(one_line("\xC3"), "\\xC3");
  EXPECT_EQ(one_line("\xE2\x80"), "\\xE2\\x80");
  EXPECT_EQ(one_line("\xC0\xAF"), "\\xC0\\xAF");
  EXPECT_EQ(one_line("\xED\xA0\x80"), "\\xED\\xA0\\x80");
  EXPECT_EQ(one_line("\xF5\x80\x80\x80"), "\\xF5\\x80\\x80\\x80");
}

TEST(TerminalText, ShownTextKeepsLayoutAndJoiners) {
  EXPECT_EQ(shown_text("a\n\tb\r\nc"), "a\n\tb\nc");
  EXPECT_EQ(shown_text("over\rwritten"), "over\\x0Dwritten");
  EXPECT_EQ(shown_text("👩\u200D💻"), "👩\u200D💻");
  EXPECT_EQ(shown_text("\x1b[2J\u202E"), "\\x1B[2J\\u{202E}");
}

TEST(TerminalText, CutsBetweenCharacters) {
  EXPECT_EQ(one_line("abc", 3), "abc");
  EXPECT_EQ(one_line("abcd", 3), "abc…");
  EXPECT_EQ(one_line("aüb", 2), "a…");
}

TEST(Layout, Sizes) {
  EXPECT_EQ(human_size(0), "0 B");
  EXPECT_EQ(human_size(1023), "1023 B");
  EXPECT_EQ(human_size(1536), "1.5 KiB");
  EXPECT_EQ(human_size(34u << 20), "34.0 MiB");
}

TEST(Layout, ColumnsAlignByCharacters) {
  const std::vector<std::string> lines = table({{"A", "B"}, {"üü", "x"}, {"abcd", "y\n"}});
  EXPECT_EQ(lines, (std::vector<std::string>{"A     B", "üü    x", "abcd  y\\x0A"}));
}

}  // namespace
}  // namespace attache::cli
