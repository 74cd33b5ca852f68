// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <gmock/gmock.h>

#include "report/wrap.hpp"

namespace attache::conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

PluginReport sample() {
  PluginReport report;
  report.file = "attache-driver-x.so";
  report.id = "x";
  report.name = "X";
  report.version = "1.0.0";
  report.results = {
      {"FILE-001", "", Outcome::pass, "", {"1 bytes"}},
      {"WIRE-101", "image,native,image/png", Outcome::fail, "the block decodes to other bytes", {"block image"}},
      {"WIRE-102", "", Outcome::not_run, "no dialect", {}}};
  report.matrix = {{"image", "native", "image/png", "disproved"}, {"audio", "", "", "unsupported"}};
  report.verdict = Verdict::not_conformant;
  report.seconds = 1.25;
  return report;
}

TEST(Report, JsonRoundTrip) {
  const std::string text = render_json({sample()}, "2026-01-01T00:00:00Z");
  EXPECT_EQ(render_json(parse_report(text), "2026-01-01T00:00:00Z"), text);
}

TEST(Report, AnotherVersionIsRefused) {
  EXPECT_THROW(parse_report(R"({"schema":2,"plugins":[]})"), std::runtime_error);
  EXPECT_THROW(parse_report("[]"), std::runtime_error);
  EXPECT_THROW(parse_report("no JSON"), std::runtime_error);
}

TEST(Report, ColourOnlyWhenAsked) {
  TerminalStyle style;
  EXPECT_THAT(render_terminal(sample(), style), Not(HasSubstr("\x1b[")));
  style.colour = true;
  EXPECT_THAT(render_terminal(sample(), style), HasSubstr("\x1b["));
}

TEST(Report, FailuresComeWithReasonAndEvidence) {
  const std::string text = render_terminal(sample(), {});
  EXPECT_THAT(text, HasSubstr("the block decodes to other bytes"));
  EXPECT_THAT(text, HasSubstr("block image"));
  EXPECT_THAT(text, Not(HasSubstr("1 bytes")));
  EXPECT_THAT(text, HasSubstr("not conformant  1 pass, 1 fail, 1 not-run"));
}

TEST(Report, LinesKeepToTheWidth) {
  TerminalStyle style;
  style.width = 60;
  PluginReport report = sample();
  report.sha256.clear();
  report.results[1].reason = std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(20, 'c');
  const std::string text = render_terminal(report, style);
  const std::size_t checks = text.find("pass  ");
  for (std::size_t at = text.rfind('\n', checks) + 1; at < text.find("  kind "); at = text.find('\n', at) + 1) {
    EXPECT_LE(text.find('\n', at) - at, 60u);
  }
}

TEST(Report, WrapsAtSpaces) {
  EXPECT_EQ(wrap("> ", "one two three", 9), "> one two\n  three\n");
  EXPECT_EQ(wrap("", "toolongword x", 4), "toolongword\nx\n");
}

TEST(Report, ExitCodesOfSeveralPlugins) {
  PluginReport conformant, incomplete, bad, fault;
  conformant.verdict = Verdict::conformant;
  incomplete.verdict = Verdict::incomplete;
  bad.verdict = Verdict::not_conformant;
  fault.verdict = Verdict::kit_fault;
  EXPECT_EQ(exit_code({conformant}), 0);
  EXPECT_EQ(exit_code({conformant, incomplete}), 3);
  EXPECT_EQ(exit_code({bad, incomplete}), 1);
  EXPECT_EQ(exit_code({bad, fault}), 4);
}

}  // namespace
}  // namespace attache::conformance
