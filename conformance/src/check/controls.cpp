// SPDX-License-Identifier: Apache-2.0
#include "check/controls.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/registry.hpp"
#include "wire/kit_paths.hpp"

namespace attache::conformance {
namespace {

ControlOutcome judge(const std::string& name, const std::vector<std::string>& expected, const PluginReport& report) {
  ControlOutcome outcome;
  outcome.name = name;
  outcome.expected = expected;
  std::sort(outcome.expected.begin(), outcome.expected.end());
  std::set<std::string> failed, not_run;
  for (const auto& result : report.results) {
    const bool bad = result.outcome == Outcome::fail || result.outcome == Outcome::crashed ||
                     result.outcome == Outcome::timed_out || result.outcome == Outcome::warn;
    if (bad) failed.insert(result.id);
    if (result.outcome == Outcome::not_run && Registry::built_in().find(result.id)->binding())
      not_run.insert(result.id);
    const bool foreseen = std::binary_search(outcome.expected.begin(), outcome.expected.end(), result.id);
    if (bad && !foreseen) outcome.details.push_back(fmt::format("{}: {}", result.name(), result.reason));
    if (result.outcome == Outcome::not_run)
      outcome.details.push_back(fmt::format("{}: {}", result.name(), result.reason));
  }
  for (const auto& fault : report.faults) outcome.details.push_back("kit: " + fault);
  outcome.failed.assign(failed.begin(), failed.end());
  outcome.not_run.assign(not_run.begin(), not_run.end());
  return outcome;
}

}  // namespace

std::filesystem::path controls_folder() {
  return own_executable().parent_path().parent_path() / ATTACHE_KIT_LIBEXEC / "controls";
}

std::vector<ControlOutcome> run_controls(const std::filesystem::path& folder, const CheckOptions& options) {
  std::ifstream in(folder / "expected.json", std::ios::binary);
  const auto document = nlohmann::ordered_json::parse(in, nullptr, false);
  if (!document.is_object()) throw std::runtime_error("the list of controls cannot be read");
  std::vector<ControlOutcome> outcomes;
  for (const auto& [name, expected] : document.items()) {
    const auto plugin = folder / ("attache-driver-" + name + ".so");
    if (!std::filesystem::exists(plugin)) throw std::runtime_error(fmt::format("the control {} is not there", name));
    outcomes.push_back(judge(name, expected.get<std::vector<std::string>>(), check_plugin(plugin, options)));
  }
  return outcomes;
}

}  // namespace attache::conformance
