// SPDX-License-Identifier: Apache-2.0
// The verdicts and exit codes of attache-conformance, by running it.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "check/watch.hpp"
#include "run_kit.hpp"
#include "schema_check.hpp"

namespace attache::conformance {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Checked {
  KitRun run;
  json report;
};

Checked check(const std::string& plugin, std::vector<std::string> more = {}) {
  const auto file = fresh_folder() / "report.json";
  std::vector<std::string> arguments = {"check", plugin, "--json", file.string(), "--seed", "7"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Checked checked{run_kit(arguments), {}};
  checked.report = json::parse(read_all(file), nullptr, false);
  return checked;
}

json result(const Checked& checked, const std::string& id) {
  for (const auto& entry : checked.report.at("plugins").at(0).at("checks")) {
    if (entry.at("id") == id) return entry;
  }
  return {};
}

std::vector<std::string> failing(const Checked& checked) {
  std::vector<std::string> ids;
  for (const auto& entry : checked.report.at("plugins").at(0).at("checks")) {
    const std::string outcome = entry.at("outcome");
    if (outcome == "fail" || outcome == "crashed" || outcome == "timed-out") ids.push_back(entry.at("id"));
  }
  return ids;
}

const std::string good = KIT_CONTROLS "/attache-driver-kit-good.so";

void expect_load_report(const Checked& checked, const std::string& stage, const std::string& reason) {
  EXPECT_EQ(checked.run.exit_code, 1) << checked.run.output << checked.run.errors;
  EXPECT_THAT(checked.run.output, AllOf(HasSubstr("No code of it was run"), HasSubstr("place"), HasSubstr("hint")));
  const json& plugin = checked.report.at("plugins").at(0);
  EXPECT_EQ(plugin.at("verdict"), "not conformant");
  EXPECT_EQ(plugin.at("load_failure").at("stage"), stage);
  EXPECT_EQ(plugin.at("load_failure").at("reason"), reason);
  EXPECT_EQ(result(checked, "LOAD-001").at("outcome"), "not-run");
  EXPECT_EQ(validate(json::parse(read_all(KIT_SCHEMA)), checked.report), std::vector<std::string>{});
}

TEST(Check, ATextFileIsReportedAndNotRun) {
  const auto file = fresh_folder() / "notes.so";
  write_all(file, "this is a text\n");
  const Checked checked = check(file.string());
  expect_load_report(checked, "elf", checked.report.at("plugins").at(0).at("load_failure").at("reason"));
  EXPECT_EQ(failing(checked), std::vector<std::string>{"FILE-001"});
}

TEST(Check, ATruncatedDriverIsReportedAndNotRun) {
  const auto file = fresh_folder() / "half.so";
  const std::string whole = read_all(good);
  write_all(file, whole.substr(0, whole.size() / 2));
  const Checked checked = check(file.string());
  expect_load_report(checked, "elf", "truncated");
  EXPECT_EQ(failing(checked), std::vector<std::string>{"FILE-002"});
}

TEST(Check, ALibraryThatIsNoDriverIsReportedAndNotRun) {
  const Checked checked = check(KIT_PLUGINS "/kit_no_driver.so");
  expect_load_report(checked, "descriptor", "no_descriptor");
  EXPECT_EQ(failing(checked), (std::vector<std::string>{"FILE-003", "DESC-001"}));
}

TEST(Check, ADriverOfAnotherSpiIsReportedAndNotRun) {
  const Checked checked = check(KIT_PLUGINS "/kit_spi2.so");
  expect_load_report(checked, "version", "other_spi_major");
  EXPECT_EQ(failing(checked), (std::vector<std::string>{"FILE-003", "DESC-001"}));
}

TEST(Check, AMissingFileIsReported) {
  const Checked checked = check((fresh_folder() / "gone.so").string());
  expect_load_report(checked, "file", "not_found");
}

TEST(Check, ACrashInAConstructorIsAnOutcome) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-crashes.so");
  EXPECT_EQ(checked.run.exit_code, 1);
  EXPECT_EQ(failing(checked), std::vector<std::string>{"LOAD-001"});
  EXPECT_EQ(result(checked, "LOAD-001").at("outcome"), "crashed");
  EXPECT_THAT(result(checked, "LOAD-001").at("reason").get<std::string>(), HasSubstr("stage load"));
  EXPECT_EQ(result(checked, "WIRE-101").at("outcome"), "not-run");
}

TEST(Check, AHangInAConstructorIsAnOutcome) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-hangs.so", {"--time-limit", "0.5"});
  EXPECT_EQ(checked.run.exit_code, 1);
  EXPECT_EQ(failing(checked), std::vector<std::string>{"LOAD-001"});
  EXPECT_EQ(result(checked, "LOAD-001").at("outcome"), "timed-out");
}

TEST(Check, AnExitInAConstructorIsAnOutcome) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-exits.so");
  EXPECT_EQ(checked.run.exit_code, 1);
  EXPECT_EQ(failing(checked), std::vector<std::string>{"LOAD-001"});
  EXPECT_EQ(result(checked, "LOAD-001").at("outcome"), "crashed");
}

TEST(Check, ForgedResultsAreNotBelieved) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-forges.so");
  EXPECT_EQ(checked.run.exit_code, 1) << checked.run.output;
  EXPECT_EQ(failing(checked), std::vector<std::string>{"LOAD-001"});
  EXPECT_EQ(result(checked, "LOAD-001").at("outcome"), "crashed");
}

TEST(Check, AChangedEnvironmentIsFound) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-setenv.so", {"--filter", "LOAD-*"});
  EXPECT_EQ(checked.run.exit_code, 1);
  EXPECT_EQ(failing(checked), std::vector<std::string>{"LOAD-003"});
}

TEST(Check, AnUnknownProtocolIsIncompleteAndNeverGreen) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-unknown.so");
  EXPECT_EQ(checked.run.exit_code, 3) << checked.run.output;
  EXPECT_EQ(checked.report.at("plugins").at(0).at("verdict"), "incomplete");
  EXPECT_EQ(result(checked, "WIRE-101").at("outcome"), "not-run");
  for (const auto& cell : checked.report.at("plugins").at(0).at("matrix")) {
    EXPECT_THAT(cell.at("state").get<std::string>(), testing::AnyOf("not run", "unsupported"));
  }
}

TEST(Check, AMustThatDidNotRunIsIncomplete) {
  const Checked checked = check(KIT_PLUGINS "/attache-driver-kit-unknown.so", {"--filter", "WIRE-102"});
  EXPECT_EQ(checked.run.exit_code, 3);
}

/// Two listeners in one line of processes are more than the kernel allows, so the kit below gets none.
TEST(Check, WithoutTheKernelsCountNothingIsGreen) {
  const auto end = supervise(std::chrono::seconds(60), [](const Watch& watch) {
    if (!watch.active()) return 100;
    return run_kit({"check", good, "--filter", "REFUSE-30?"}).exit_code;
  });
  EXPECT_EQ(end.kind, WorkerEnd::Kind::exited);
  EXPECT_EQ(end.value, 3);
}

TEST(Check, NothingSelectedIsAUsageError) {
  EXPECT_EQ(run_kit({"check", good, "--filter", "NOPE-*"}).exit_code, 2);
}

TEST(Check, UsageErrors) {
  EXPECT_EQ(run_kit({}).exit_code, 2);
  EXPECT_EQ(run_kit({"check"}).exit_code, 2);
  EXPECT_EQ(run_kit({"check", good, "--jobs", "none"}).exit_code, 2);
  EXPECT_EQ(run_kit({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(run_kit({"--help"}).exit_code, 0);
}

TEST(Check, AFilterRunsOnlyWhatItSelects) {
  const Checked checked = check(good, {"--filter", "FILE-*"});
  EXPECT_EQ(checked.run.exit_code, 0) << checked.run.output;
  EXPECT_EQ(checked.report.at("plugins").at(0).at("checks").size(), 5u);
}

/// A driver that ships: everything declared is proved.
void expect_all_proved(const std::string& driver, std::size_t cells) {
  const Checked checked = check(KIT_DRIVERS "/attache-driver-" + driver + ".so");
  EXPECT_EQ(checked.run.exit_code, 0) << checked.run.output << checked.run.errors;
  EXPECT_EQ(validate(json::parse(read_all(KIT_SCHEMA)), checked.report), std::vector<std::string>{});
  std::size_t proved = 0;
  for (const auto& cell : checked.report.at("plugins").at(0).at("matrix")) {
    EXPECT_THAT(cell.at("state").get<std::string>(), testing::AnyOf("proved(tap)", "unsupported"));
    proved += cell.at("state") == "proved(tap)" ? 1 : 0;
  }
  EXPECT_EQ(proved, cells);
}

TEST(Check, ClaudeIsConformantAndItsMatrixProved) {
  expect_all_proved("claude", 6);
}

TEST(Check, CodexIsConformantAndItsMatrixProved) {
  expect_all_proved("codex", 14);
}

TEST(Check, AcpIsConformantAndItsMatrixProved) {
  expect_all_proved("acp", 23);
}

TEST(Check, NoPathOfTheMachineStandsInAReport) {
  const Checked checked = check(KIT_CONTROLS "/attache-driver-path-in-prompt.so", {"--evidence"});
  const std::string report = checked.report.dump();
  for (const std::string& text : {report, checked.run.output}) {
    EXPECT_THAT(text, Not(HasSubstr("attache-kit-")));
    EXPECT_THAT(text, Not(HasSubstr("/runs-")));
    EXPECT_THAT(text, Not(HasSubstr("input-1.")));
  }
  EXPECT_THAT(report, Not(HasSubstr(KIT_CONTROLS)));
}

TEST(Check, TheSameSeedGivesTheSameReportButForTimes) {
  Checked first = check(good, {"--filter", "WIRE-*"}), second = check(good, {"--filter", "WIRE-*", "--jobs", "1"});
  first.report.erase("times");
  second.report.erase("times");
  EXPECT_EQ(first.report, second.report);
}

TEST(Check, AReportIsRenderedAgain) {
  const auto file = fresh_folder() / "report.json";
  const KitRun run = run_kit({"check", good, "--filter", "FILE-*", "--json", file.string(), "--seed", "1"});
  const KitRun again = run_kit({"report", file.string()});
  EXPECT_EQ(again.exit_code, run.exit_code);
  EXPECT_EQ(again.output, run.output);
  write_all(file, "{\"schema\": 99}");
  EXPECT_EQ(run_kit({"report", file.string()}).exit_code, 4);
}

TEST(Describe, PrintsTheDescriptorWithoutRunningAnything) {
  const KitRun run = run_kit({"describe", KIT_PLUGINS "/attache-driver-kit-crashes.so"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(json::parse(run.output).at("id"), "kit-crashes");
  EXPECT_EQ(run_kit({"describe", KIT_PLUGINS "/kit_no_driver.so"}).exit_code, 1);
}

}  // namespace
}  // namespace attache::conformance
