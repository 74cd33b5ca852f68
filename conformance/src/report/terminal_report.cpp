// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "check/registry.hpp"
#include "check/scratch.hpp"
#include "report/report.hpp"
#include "report/wrap.hpp"

namespace attache::conformance {
namespace {

class Page {
 public:
  explicit Page(const TerminalStyle& style) : style_(style) {}

  std::string paint(std::string_view text, const char* colour) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
  }
  void line(const std::string& text) { out_ += text + "\n"; }
  void wrapped(const std::string& indent, const std::string& text) { out_ += wrap(indent, text, style_.width); }
  const TerminalStyle& style() const noexcept { return style_; }
  std::string take() { return std::move(out_); }

 private:
  TerminalStyle style_;
  std::string out_;
};

const char* colour_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "32";
    case Outcome::fail:
    case Outcome::crashed:
    case Outcome::timed_out:
      return "1;31";
    case Outcome::warn:
    case Outcome::not_run:
      return "33";
    case Outcome::not_applicable:
      return "2";
  }
  return "0";
}

const char* colour_of(std::string_view state) {
  if (state.starts_with("proved")) return "32";
  if (state == "disproved") return "1;31";
  return state == "unsupported" ? "2" : "33";
}

void header(Page& page, const PluginReport& report) {
  page.line(page.paint(report.name.empty() ? report.file : report.name + " " + report.version, "1"));
  page.line(fmt::format("  file        {}  sha256 {}", report.file, report.sha256.empty() ? "unknown" : report.sha256));
  if (!report.id.empty()) {
    page.line(fmt::format("  driver      {}  SPI {}.{} (from {}.{})  descriptor {}", report.id, report.spi_major,
                          report.spi_built_minor, report.spi_major, report.spi_min_minor,
                          report.descriptor_sha256.substr(0, 16)));
    page.line(fmt::format("  dialect     {}", report.dialect.empty() ? "none for " + report.protocol
                                                                     : report.dialect + " " + report.dialect_version));
  }
  if (report.provider == "real") {
    page.line(fmt::format("  provider    real, measured as {}", report.provider_version));
  }
  page.line(fmt::format("  kit         {}  {}  seed {}", kit_version, platform_name(), report.seed));
}

void load_report(Page& page, const LoadAttempt& attempt) {
  page.line("");
  page.line(page.paint("The plugin cannot be loaded. No code of it was run.", "1;31"));
  page.line("  place   " + attempt.place);
  page.line(fmt::format("  stage   {}", to_string(attempt.stage)));
  page.wrapped("  reason  ", attempt.reason + ": " + attempt.text);
  page.wrapped("  hint    ", attempt.hint);
}

void check_line(Page& page, const CheckResult& result) {
  const CheckEntry* entry = Registry::built_in().find(result.id);
  const std::string word(to_string(result.outcome));
  std::string text = fmt::format("  {:<14}  {:<10}  ", word, result.id);
  if (!result.coordinates.empty()) text += "[" + result.coordinates + "] ";
  if (entry != nullptr) text += entry->title;
  if (text.size() > page.style().width) text.resize(page.style().width);
  text.replace(2, word.size(), page.paint(word, colour_of(result.outcome)));
  page.line(text);
  const bool quiet = result.outcome == Outcome::pass || result.outcome == Outcome::not_applicable;
  if (!result.reason.empty() && result.outcome != Outcome::not_applicable) page.wrapped("      ", result.reason);
  if (quiet && !page.style().evidence) return;
  for (const auto& line : result.evidence) page.wrapped("      · ", line);
}

void matrix(Page& page, const std::vector<MatrixCell>& cells) {
  if (cells.empty()) return;
  page.line("");
  page.line(page.paint("  kind   mode                 media type                state", "1"));
  for (const auto& cell : cells) {
    page.line(fmt::format("  {:<5}  {:<19}  {:<24}  {}", cell.kind, cell.mode.empty() ? "-" : cell.mode,
                          cell.media_type.empty() ? "-" : cell.media_type,
                          page.paint(cell.state, colour_of(cell.state))));
  }
}

void summary(Page& page, const PluginReport& report) {
  std::string counts;
  for (auto outcome : {Outcome::pass, Outcome::fail, Outcome::crashed, Outcome::timed_out, Outcome::warn,
                       Outcome::not_run, Outcome::not_applicable}) {
    const auto count = std::count_if(report.results.begin(), report.results.end(),
                                     [&](const CheckResult& result) { return result.outcome == outcome; });
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, to_string(outcome));
  }
  page.line("");
  for (const auto& fault : report.faults) page.wrapped("  kit: ", fault);
  const char* colour = report.verdict == Verdict::conformant   ? "1;32"
                       : report.verdict == Verdict::incomplete ? "1;33"
                                                               : "1;31";
  page.line(fmt::format("{}  {}  ({:.1f} s)", page.paint(to_string(report.verdict), colour), counts, report.seconds));
}

}  // namespace

std::string render_terminal(const PluginReport& report, const TerminalStyle& style) {
  Page page(style);
  header(page, report);
  if (report.load_failure) load_report(page, *report.load_failure);
  page.line("");
  for (const auto& result : report.results) check_line(page, result);
  matrix(page, report.matrix);
  summary(page, report);
  return page.take();
}

}  // namespace attache::conformance
