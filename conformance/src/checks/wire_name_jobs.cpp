// SPDX-License-Identifier: Apache-2.0
// WIRE-107: display names that want to be something else.
#include <fmt/format.h>

#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/spi_bench.hpp"
#include "checks/wire_view.hpp"

namespace attache::conformance {
namespace {

std::vector<std::string> callers(const Descriptor&) {
  return {"host", "spi"};
}

void judge_name(Finding& finding, JobContext& context, const std::vector<Capture>& captures, const Canary& canary,
                input::Mode mode, const std::string& token) {
  if (!judge_one_turn(finding, captures)) return;
  std::vector<CapturedTurn> turns;
  for (const auto& capture : captures) {
    turns.insert(turns.end(), capture.turns.begin(), capture.turns.end());
    for (const auto& argument : capture.argv) {
      finding.expect(argument.find(token) == std::string::npos, "the name became an argument of the provider");
    }
  }
  const auto blocks = blocks_in(turns);
  finding.expect(blocks.size() == 1, fmt::format("{} typed blocks for one input", blocks.size()));
  for (const auto& block : blocks) judge_block(finding, block, canary, mode, captures);
  for (const auto& text : texts_in(turns)) {
    finding.expect(!text_holds(context, text, canary.mark), "bytes of the input stand in a text");
  }
}

/// Names core lets through.
void through_core(JobContext& context, const Cell& cell, Finding& finding) {
  Bench bench(context);
  const std::string extension = std::filesystem::path(context.canary(cell.kind, cell.media_type).name).extension();
  const char* const names[] = {"it's \"quoted\" {}", "-rf {}", "$(id) `id` %s {}", "a,b;c&d|e {}",
                               "caf\xCC\x81 \xE2\x80\xAF {}"};
  for (const char* name : names) {
    const std::string token = fmt::format("n{:016x}", context.random().next());
    Canary canary = context.canary(cell.kind, cell.media_type);
    canary.name = name + token + extension;
    RunPlan plan;
    plan.inputs = {as_input(canary).require(cell.mode)};
    const RunSeen seen = bench.run(plan);
    finding.expect(seen.good(), "the run failed: " + seen.outcome());
    judge_name(finding, context, seen.captures, canary, cell.mode, token);
  }
}

/// Names core refuses: a driver may refuse them too, but must not be led astray.
void at_the_spi(JobContext& context, const Cell& cell, Finding& finding) {
  SpiDriver driver(context.spec().plugin);
  const char* const names[] = {"line\nbreak ", "quote\"}],\"x\":[{", "right\xE2\x80\xAEleft ", "bell\x07 ", "../../"};
  for (const char* name : names) {
    const std::string token = fmt::format("n{:016x}", context.random().next());
    Canary canary = materialized(context, context.canary(cell.kind, cell.media_type));
    RequestBuilder request("Say what you see.");
    request.rename(request.add(canary, static_cast<std::uint32_t>(cell.mode)), name + token);
    SpiBench bench(context, driver, "ok");
    const SpiSeen seen = bench.run(request.get());
    if (seen.record.status == ATTACHE_INVALID && seen.starts == 0) continue;
    finding.expect(seen.record.status == ATTACHE_OK, "the run failed: " + seen.outcome());
    judge_name(finding, context, seen.captures, canary, cell.mode, token);
  }
}

void names(JobContext& context) {
  context.begin("WIRE-107");
  const auto cells = sendable_cells(context.descriptor());
  if (cells.empty()) return context.not_run("WIRE-107", "there is no declared type this kit can make");
  Finding finding;
  try {
    // The last kind declared is the one that carries a label where any does.
    context.cell() == "host" ? through_core(context, cells.back(), finding)
                             : at_the_spi(context, cells.back(), finding);
  } catch (const HarnessError& error) {
    finding.expect(false, error.what());
  }
  context.report("WIRE-107", finding);
}

}  // namespace

void add_wire_name_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"wire-names", {"WIRE-107"}, callers, names, true});
}

}  // namespace attache::conformance
