// SPDX-License-Identifier: Apache-2.0
// RUN: providers that misbehave, and what a truthful driver makes of them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/processes.hpp"
#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"

namespace attache::conformance {
namespace {

constexpr std::uint64_t far_more_than_a_pipe = 4ull << 20;

/// The same as a text. Providers bound the characters, pipes the bytes.
std::string long_prompt() {
  constexpr std::string_view four_bytes = "\xF0\x9D\x84\x9E";
  std::string out;
  for (std::size_t i = 0; i < 1'000'000; ++i) out += four_bytes;
  return out;
}

bool is_one_of(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Says neither more nor less about the delivery than the provider saw.
/// A handshake is no delivery.
void judge_delivery(Finding& finding, const JobContext& context, const RunSeen& seen) {
  if (!seen.result) return;
  std::uint64_t bytes = 0;
  for (const auto& capture : seen.captures) bytes += capture.stdin_bytes;
  const Delivery said = seen.result->delivery;
  finding.evidence(
      fmt::format("delivery {}, the provider read {} bytes and {} turns", to_string(said), bytes, seen.turns().size()));
  const bool begun = context.dialect().has_replies() ? !seen.turns().empty() : bytes != 0;
  finding.expect(said > Delivery::not_delivered || !begun, "nothing was delivered, it says, but bytes were");
  finding.expect(said != Delivery::delivered || !seen.turns().empty(), "it says delivered, but no turn arrived");
}

void judge_receipts(Finding& finding, const Descriptor& descriptor, const Expectation& expected, const RunSeen& seen) {
  if (!seen.result || expected.receipt.empty()) return;
  for (const auto& receipt : seen.result->receipts) {
    const bool may_be_silent = !descriptor.features.receipts && receipt.outcome == Receipt::Outcome::unknown;
    finding.expect(
        may_be_silent || to_string(receipt.outcome) == expected.receipt,
        fmt::format("the receipt says {}, the provider showed {}", to_string(receipt.outcome), expected.receipt));
  }
  finding.expect(!seen.result->receipts.empty(), "there is no receipt");
}

void judge_scenario(JobContext& context, Finding& finding, const Scenario& scenario, const RunSeen& seen) {
  const Expectation& expected = scenario.expect;
  finding.evidence(fmt::format("{}: {}", scenario.name, seen.outcome()));
  const bool dropped = expected.receipt == "dropped" && !context.descriptor().features.receipts;
  if (expected.run == "ok" || (dropped && seen.good())) {
    finding.expect(seen.good(), "the run failed: " + seen.outcome());
    finding.expect(!seen.good() || expected.text.empty() || seen.result->text == expected.text,
                   "the answer is another");
  } else if (expected.run == "fails" && finding.expect(!seen.good(), "the run ended well")) {
    finding.expect(seen.entered, "the failure carries no result");
    const std::string status(to_string(*seen.code));
    finding.expect(expected.statuses.empty() || is_one_of(expected.statuses, status),
                   fmt::format("{} is not one of {}", status, fmt::join(expected.statuses, ", ")));
  }
  if (seen.result && !expected.delivery.empty()) {
    const std::string state(to_string(seen.result->delivery));
    finding.expect(is_one_of(expected.delivery, state),
                   fmt::format("delivery {} is not one of {}", state, fmt::join(expected.delivery, ", ")));
  }
  judge_receipts(finding, context.descriptor(), expected, seen);
  judge_delivery(finding, context, seen);
  finding.expect(!seen.result || seen.result->contract_violations == 0, "the driver broke the SPI during the run");
  // A launch that fails before anything was delivered may be tried once more.
  const bool may_retry = seen.result && seen.result->delivery == Delivery::not_delivered;
  finding.expect(seen.starts <= (may_retry ? 2u : 1u), "the provider was started too often");
  finding.expect(eventually([&] { return context.watch().descendants().empty(); }), "a process is left");
}

/// Plays the cell's scenario; the job decides which check it is for.
void play(JobContext& context, const char* id) {
  context.begin(id);
  const auto cells = sendable_cells(context.descriptor());
  if (cells.empty()) return context.not_run(id, "there is no declared type this kit can make");
  const Scenario* scenario = context.dialect().scenario(context.cell());
  if (scenario == nullptr) return context.not_applicable(id, "the dialect has no such answer");
  RunPlan plan;
  plan.scenario = scenario->name;
  const bool unread = scenario->name == "close_stdin" || scenario->name == "deaf" || scenario->name == "crash_at_start";
  // The text alone is more than any pipe takes, so that nobody can believe an unread turn to be delivered.
  if (unread) plan.prompt = long_prompt();
  const std::uint64_t size =
      unread ? size_allowed(capability(context.descriptor(), cells.front()), far_more_than_a_pipe) : 0;
  plan.inputs = {as_input(context.canary(cells.front().kind, cells.front().media_type, size))};
  const bool hangs = scenario->expect.run == "hangs";
  if (hangs) plan.cancel = unread ? RunPlan::Cancel::when_started : RunPlan::Cancel::when_taken;
  Bench bench(context);
  const RunSeen seen = bench.run(plan);
  Finding finding;
  if (hangs) {
    finding.evidence(fmt::format("{}: {}", scenario->name, seen.outcome()));
    finding.expect(seen.code == errc::cancelled, "a cancelled run ends as " + seen.outcome());
    finding.expect(!seen.result || seen.result->contract_violations == 0, "the driver broke the SPI during the run");
    finding.expect(eventually([&] { return context.watch().descendants().empty(); }),
                   "processes of the provider are left after the cancel");
    judge_delivery(finding, context, seen);
  } else {
    judge_scenario(context, finding, *scenario, seen);
  }
  context.report(id, finding);
}

}  // namespace

void add_run_jobs(std::vector<Job>& jobs) {
  using Cells = std::vector<std::string>;
  jobs.push_back({"run-stubborn",
                  {"RUN-505"},
                  [](const Descriptor&) {
                    return Cells{"hang", "stubborn"};
                  },
                  [](JobContext& context) { play(context, "RUN-505"); },
                  true});
  jobs.push_back({"run-flood",
                  {"RUN-504"},
                  [](const Descriptor&) {
                    return Cells{"flood", "flood_stderr"};
                  },
                  [](JobContext& context) { play(context, "RUN-504"); },
                  true});
  jobs.push_back({"run-deaf",
                  {"RUN-503"},
                  [](const Descriptor&) { return Cells{"deaf"}; },
                  [](JobContext& context) { play(context, "RUN-503"); },
                  true});
  jobs.push_back({"run-closed",
                  {"RUN-502"},
                  [](const Descriptor&) { return Cells{"close_stdin"}; },
                  [](JobContext& context) { play(context, "RUN-502"); },
                  true});
  jobs.push_back({"run-died",
                  {"RUN-501"},
                  [](const Descriptor&) {
                    return Cells{"crash", "crash_at_start", "cut", "no_result"};
                  },
                  [](JobContext& context) { play(context, "RUN-501"); },
                  true});
  jobs.push_back({"run-answers",
                  {"RUN-506"},
                  [](const Descriptor&) {
                    return Cells{"error_result", "refuse"};
                  },
                  [](JobContext& context) { play(context, "RUN-506"); },
                  true});
  jobs.push_back({"run-receipts",
                  {"RUN-507"},
                  [](const Descriptor&) {
                    return Cells{"echo_altered", "echo_dropped",  "echo_none", "echo_text",
                                 "exit_lies",    "media_removed", "ok",        "retried"};
                  },
                  [](JobContext& context) { play(context, "RUN-507"); },
                  true});
}

}  // namespace attache::conformance
