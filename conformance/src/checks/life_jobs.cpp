// SPDX-License-Identifier: Apache-2.0
// LIFE: what a run leaves behind.
#include <fmt/format.h>

#include "check/processes.hpp"
#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/spi_bench.hpp"
#include "checks/wire_view.hpp"

namespace attache::conformance {
namespace {

std::size_t output_size(const JobContext& context) {
  std::size_t size = 0;
  for (const char* name : {"stdout", "stderr"}) size += std::filesystem::file_size(context.spec().scratch / name);
  return size;
}

/// The input's file while core has the run, and afterwards.
void input_file(JobContext& context) {
  context.begin("LIFE-401");
  const auto cells = sendable_cells(context.descriptor());
  if (cells.empty()) return context.not_run("LIFE-401", "there is no declared type this kit can make");
  Bench bench(context);
  Finding finding;
  for (const char* scenario : {"ok", "delayed_open", "crash", "refuse"}) {
    if (context.dialect().scenario(scenario) == nullptr) continue;
    const Canary canary = context.canary(cells.back().kind, cells.back().media_type);
    RunPlan plan;
    plan.scenario = scenario;
    plan.inputs = {as_input(canary).require(cells.back().mode)};
    const RunSeen seen = bench.run(plan);
    finding.evidence(fmt::format("{}: {}", scenario, seen.outcome()));
    const auto turns = seen.turns();
    for (const auto& block : blocks_in(turns)) judge_block(finding, block, canary, cells.back().mode, seen.captures);
    for (const auto& capture : seen.captures) {
      for (const auto& file : capture.files) {
        finding.expect(!std::filesystem::exists(file.path) || file.path.find(seen.run_token) == std::string::npos,
                       "a file of the run directory is still there after the run");
      }
    }
    for (const auto& file : files_below(seen.run_base)) {
      finding.expect(find_mark(file, canary.mark).empty(), "the input's bytes are still in the run base after the run");
    }
  }
  context.report("LIFE-401", finding);
}

/// Two runs on one instance, good or ended badly, in folders of their own.
void two_runs(JobContext& context, const SpiDriver& driver, const char* scenario, Finding& apart) {
  const Cell cell = sendable_cells(context.descriptor()).front();
  SpiBench bench(context, driver, scenario);
  const Canary first = materialized(context, context.canary(cell.kind, cell.media_type));
  const Canary second = materialized(context, context.canary(cell.kind, cell.media_type));
  std::size_t captured = 0;
  for (const auto* canary : {&first, &second}) {
    RequestBuilder request("Say what you see.");
    request.add(*canary, static_cast<std::uint32_t>(cell.mode));
    SpiSeen seen = bench.run(request.get());
    apart.evidence(fmt::format("{}: {}", scenario, seen.outcome()));
    apart.expect(seen.record.references == 0, "a reference to the run was kept");
    for (const auto& violation : seen.record.violations) apart.expect(false, violation);
    seen.captures.erase(seen.captures.begin(), seen.captures.begin() + static_cast<std::ptrdiff_t>(captured));
    captured += seen.captures.size();
    if (canary == &first) {
      std::filesystem::remove_all(first.path.parent_path());
      continue;
    }
    apart.expect(count_on_wire(context, seen.captures, path_token(first)) == 0,
                 "the second run names a path of the first");
    apart.expect(count_on_wire(context, seen.captures, first.mark) == 0, "the second run carries bytes of the first");
  }
}

void leftovers(JobContext& context) {
  context.begin("LIFE-406");
  if (sendable_cells(context.descriptor()).empty()) {
    for (const char* id : {"LIFE-402", "LIFE-403", "LIFE-404", "LIFE-405", "LIFE-406", "LIFE-407"}) {
      context.not_run(id, "there is no declared type this kit can make");
    }
    return;
  }
  Finding apart, descriptors, children, temporary, threads, quiet;
  const SpiDriver driver(context.spec().plugin);
  // What a library sets up once in a process is no leftover of a run.
  two_runs(context, driver, "ok", apart);
  const auto opened = open_descriptors();
  const auto before = thread_count();
  two_runs(context, driver, "ok", apart);
  for (const char* scenario : {"crash", "refuse"}) {
    if (context.dialect().scenario(scenario) != nullptr) two_runs(context, driver, scenario, apart);
  }
  context.report("LIFE-406", apart);

  descriptors.expect(
      eventually([&] { return open_descriptors() == opened; }),
      fmt::format("{} descriptors were open before the runs, {} are after", opened.size(), open_descriptors().size()));
  context.report("LIFE-402", descriptors);
  children.expect(eventually([&] { return context.watch().descendants().empty(); }),
                  fmt::format("{} processes are left", context.watch().descendants().size()));
  context.report("LIFE-403", children);
  const auto files = files_below(context.spec().scratch / "tmp");
  temporary.expect(files.empty(), fmt::format("{} files are left in the temporary directory", files.size()));
  context.report("LIFE-404", temporary);
  threads.expect(eventually([&] { return thread_count() == before; }),
                 fmt::format("{} threads before the runs, {} after", before, thread_count()));
  context.report("LIFE-405", threads);
  quiet.expect(output_size(context) == 0,
               fmt::format("{} bytes were written to standard output or error", output_size(context)));
  context.report("LIFE-407", quiet);
}

}  // namespace

void add_life_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"life-file", {"LIFE-401"}, nullptr, input_file, true});
  jobs.push_back({"life-left",
                  {"LIFE-402", "LIFE-403", "LIFE-404", "LIFE-405", "LIFE-406", "LIFE-407"},
                  nullptr,
                  leftovers,
                  true});
}

}  // namespace attache::conformance
