// SPDX-License-Identifier: Apache-2.0
// LEAK: nothing of an input in what a host or its logs get to see.
#include <fmt/format.h>

#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/spi_bench.hpp"

namespace attache::conformance {
namespace {

constexpr const char* scenarios[] = {"ok", "crash", "refuse", "cut", "echo_altered"};

struct Collect {
  std::string& out;
  void add(const std::string& text) const { out.append(text).push_back('\n'); }
  void operator()(const Started& e) const { add(e.provider), add(e.model); }
  void operator()(const TextDelta& e) const { add(e.text); }
  void operator()(const ReasoningDelta& e) const { add(e.text); }
  void operator()(const ToolCall& e) const { add(e.id), add(e.name), add(e.arguments_json); }
  void operator()(const ToolResult& e) const { add(e.id), add(e.text); }
  void operator()(const Notice& e) const { add(e.slug), add(e.text), add(e.input_id); }
  void operator()(const Receipt& e) const { add(e.input_id), add(e.media_type); }
  void operator()(const Usage& e) const { add(e.json); }
  void operator()(const TranscriptItem& e) const { add(e.json); }
  void operator()(const RawChunk& e) const { out += e.bytes; }
  void operator()(const Completed& e) const { add(e.text); }
};

std::string everything(const RunSeen& seen) {
  std::string all = seen.text + "\n" + seen.reason + "\n";
  const Collect collect{all};
  for (const auto& event : seen.events) std::visit(collect, event.body);
  if (!seen.result) return all;
  for (const auto* text : {&seen.result->text, &seen.result->provider, &seen.result->model, &seen.result->usage_json,
                           &seen.result->checkpoint_json}) {
    collect.add(*text);
  }
  for (const auto& notice : seen.result->notices) collect(notice);
  for (const auto& input : seen.result->inputs) collect.add(input.id);
  return all;
}

void judge(JobContext& context, Finding& finding, const std::string& scenario, const std::string& texts,
           const std::string& mark, const std::string& token) {
  finding.evidence(fmt::format("{}: {} bytes of events, results and errors", scenario, texts.size()));
  finding.expect(!text_holds(context, texts, mark), fmt::format("{}: bytes of an input are told", scenario));
  finding.expect(!text_holds(context, texts, token), fmt::format("{}: the path of an input is told", scenario));
}

void to_the_host(JobContext& context, const Cell& cell, Finding& finding) {
  Bench bench(context);
  for (const char* scenario : scenarios) {
    if (context.dialect().scenario(scenario) == nullptr) continue;
    const Canary canary = context.canary(cell.kind, cell.media_type);
    RunPlan plan;
    plan.scenario = scenario;
    plan.inputs = {as_input(canary).require(cell.mode)};
    const RunSeen seen = bench.run(plan);
    judge(context, finding, scenario, everything(seen), canary.mark, seen.run_token);
  }
}

void over_the_spi(JobContext& context, const Cell& cell, Finding& finding) {
  const SpiDriver driver(context.spec().plugin);
  for (const char* scenario : scenarios) {
    if (context.dialect().scenario(scenario) == nullptr) continue;
    const Canary canary = materialized(context, context.canary(cell.kind, cell.media_type));
    RequestBuilder request("Say what you see.");
    request.add(canary, static_cast<std::uint32_t>(cell.mode));
    SpiBench bench(context, driver, scenario);
    const SpiSeen seen = bench.run(request.get());
    judge(context, finding, scenario, seen.record.all_texts(), canary.mark, path_token(canary));
  }
  // The file is gone before the driver comes to it: the error it makes of that must not say where it was.
  const Canary gone = materialized(context, context.canary(cell.kind, cell.media_type));
  RequestBuilder request("Say what you see.");
  request.add(gone, static_cast<std::uint32_t>(cell.mode));
  std::filesystem::remove(gone.path);
  SpiBench bench(context, driver, "ok");
  const SpiSeen seen = bench.run(request.get());
  judge(context, finding, "missing file", seen.record.all_texts(), gone.mark, path_token(gone));
}

std::vector<std::string> callers(const Descriptor&) {
  return {"host", "spi"};
}

void leaks(JobContext& context) {
  context.begin("LEAK-601");
  const auto cells = sendable_cells(context.descriptor());
  if (cells.empty()) return context.not_run("LEAK-601", "there is no declared type this kit can make");
  Finding finding;
  try {
    context.cell() == "host" ? to_the_host(context, cells.front(), finding)
                             : over_the_spi(context, cells.front(), finding);
  } catch (const HarnessError& error) {
    finding.expect(false, error.what());
  }
  context.report("LEAK-601", finding);
}

}  // namespace

void add_leak_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"leak", {"LEAK-601"}, callers, leaks, true});
}

}  // namespace attache::conformance
