// SPDX-License-Identifier: Apache-2.0
// LOAD, and the DESC checks that need the driver's own word.
#include <clocale>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/matrix.hpp"
#include "checks/bench.hpp"
#include "checks/jobs.hpp"
#include "checks/process_state.hpp"
#include "harness/spi_host.hpp"

namespace attache::conformance {
namespace {

void describe_matches(JobContext& context, const SpiDriver& driver) {
  context.begin("DESC-003");
  context.stage("describe");
  Finding finding;
  try {
    finding.expect(driver.describe() == context.descriptor().json,
                   "describe puts another document than the file holds");
    finding.expect(driver.describe() == context.descriptor().json, "describe puts another document the second time");
  } catch (const HarnessError& error) {
    finding.expect(false, error.what());
  }
  context.report("DESC-003", finding);
}

template <class Value>
bool within(const std::optional<Value>& narrowed, const std::optional<Value>& declared) {
  return !declared || (narrowed && *narrowed <= *declared);
}

void narrows(Finding& finding, const InputCapabilities& now, const InputCapabilities& declared) {
  for (auto kind : all_kinds) {
    const std::string word(input::to_string(kind));
    for (const auto& mode : now.of(kind).modes) {
      const ModeCapability* found = nullptr;
      for (const auto& candidate : declared.of(kind).modes) {
        if (candidate.mode == mode.mode) found = &candidate;
      }
      const std::string name = word + "/" + std::string(input::to_string(mode.mode));
      if (!finding.expect(found != nullptr, fmt::format("{} is not in the descriptor", name))) continue;
      for (const auto& type : mode.media_types) {
        finding.expect(found->takes(type) || found->media_types == mode.media_types,
                       fmt::format("{} takes {}, which the descriptor does not declare", name, type));
      }
      finding.expect(!mode.media_types.empty() || found->media_types.empty(),
                     fmt::format("{} leaves its types open, the descriptor does not", name));
      finding.expect(within(mode.max_bytes, found->max_bytes) && within(mode.max_count, found->max_count),
                     fmt::format("{} has wider limits than the descriptor", name));
    }
  }
  finding.expect(within(now.limits.max_count, declared.limits.max_count) &&
                     within(now.limits.max_total_bytes, declared.limits.max_total_bytes),
                 "the limits over all inputs are wider than the descriptor's");
}

void capabilities_within(JobContext& context, const SpiDriver& driver) {
  context.begin("DESC-004");
  if (driver.table().capabilities == nullptr) {
    return context.not_applicable("DESC-004", "the driver provides no capabilities function");
  }
  context.stage("capabilities");
  Finding finding;
  try {
    SpiInstance instance(driver, context.config({}));
    const auto said = nlohmann::ordered_json::parse(instance.capabilities(), nullptr, false);
    auto document = nlohmann::ordered_json::parse(context.descriptor().json);
    if (finding.expect(said.is_object() && said.contains("inputs"), "capabilities puts no object with inputs")) {
      document["inputs"] = said["inputs"];
      if (said.contains("limits")) document["limits"] = said["limits"];
      const DescriptorParse parsed = parse_descriptor(document.dump());
      for (const auto& fault : parsed.faults) finding.expect(false, fmt::format("{}: {}", fault.pointer, fault.text));
      if (parsed.descriptor) narrows(finding, parsed.descriptor->inputs, context.descriptor().inputs);
    }
  } catch (const HarnessError& error) {
    finding.expect(false, error.what());
  }
  context.report("DESC-004", finding);
}

void many_instances(JobContext& context, const SpiDriver& driver) {
  context.begin("LOAD-004");
  context.stage("create and destroy");
  Finding finding;
  const WatchCounts before = context.watch().counts();
  try {
    for (int i = 0; i < 100; ++i) SpiInstance(driver, context.config({})).destroy();
    SpiInstance first(driver, context.config({})), second(driver, context.config({}));
    first.destroy();
  } catch (const HarnessError& error) {
    finding.expect(false, error.what());
  }
  if (!context.needs_watch("LOAD-004")) return;
  finding.expect((context.watch().counts() - before).none(), "create or destroy starts a process or a connection");
  context.report("LOAD-004", finding);
}

void load_by_core(JobContext& context) {
  context.begin("LOAD-001");
  context.stage("load");
  Finding finding;
  try {
    Bench bench(context);
    finding.expect(bench.driver().descriptor().id == context.descriptor().id, "core read another id");
  } catch (const LoadError& error) {
    finding.expect(false, error.what());
    for (const auto& attempt : error.report().attempts) {
      finding.evidence(
          fmt::format("stage {}: {}: {} ({})", to_string(attempt.stage), attempt.reason, attempt.text, attempt.hint));
    }
  }
  context.report("LOAD-001", finding);
}

void load_by_hand(JobContext& context) {
  context.begin("LOAD-002");
  context.stage("load");
  Finding sane, quiet;
  const ProcessState before = ProcessState::now(context);
  const WatchCounts counted = context.watch().counts();
  std::optional<SpiDriver> driver;
  try {
    driver.emplace(context.spec().plugin);
    sane.evidence(fmt::format("table of {} bytes, minor {}", driver->table().struct_size, driver->table().minor));
    sane.expect(driver->table().minor == context.descriptor().spi_built_minor,
                "the table's minor is not the descriptor's built_minor");
  } catch (const HarnessError& error) {
    sane.expect(false, error.what());
  }
  context.report("LOAD-002", sane);
  context.begin("LOAD-003");
  for (const auto& change : ProcessState::now(context).changes_since(before)) quiet.expect(false, change);
  if (context.needs_watch("LOAD-003")) {
    quiet.expect((context.watch().counts() - counted).none(), "loading starts a process or a connection");
    context.report("LOAD-003", quiet);
  }
  if (!driver) {
    for (const char* id : {"LOAD-004", "DESC-003", "DESC-004"}) context.not_run(id, "LOAD-002 failed");
    return;
  }
  many_instances(context, *driver);
  describe_matches(context, *driver);
  capabilities_within(context, *driver);
}

}  // namespace

void add_load_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"load", {"LOAD-001"}, nullptr, load_by_core, false});
  jobs.push_back(
      {"load-by-hand", {"LOAD-002", "LOAD-003", "LOAD-004", "DESC-003", "DESC-004"}, nullptr, load_by_hand, false});
}

}  // namespace attache::conformance
