// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"
#include "layout.hpp"
#include "result_json.hpp"
#include "verbs.hpp"

namespace attache::cli {
namespace {

std::string violation_text(const PlannedInput::Violation& violation) {
  std::string text = fmt::format("{} ({}/{})", violation.text, to_string(violation.code), violation.reason);
  if (violation.limit) {
    text += fmt::format(" the {}'s limit is {}", violation.limit_owner, *violation.limit);
  }
  return text;
}

std::string delivery_text(const PlannedInput& input) {
  if (!input.mode || !input.violations.empty()) {
    return "refused";
  }
  return fmt::format("{}{}", input::to_string(*input.mode), input.exact ? ", exact" : "");
}

void print_plan(Printer& printer, const Plan& plan) {
  std::vector<std::vector<std::string>> rows{{"#", "KIND", "NAME", "TYPE", "SIZE", "DELIVERY"}};
  for (const PlannedInput& input : plan.inputs) {
    rows.push_back({std::to_string(input.index + 1), std::string(input::to_string(input.kind)), input.name,
                    input.media_type.empty() ? "-" : input.media_type, input.size == 0 ? "-" : human_size(input.size),
                    delivery_text(input)});
  }
  const std::vector<std::string> lines = table(rows);
  printer.line(lines.front());
  for (std::size_t at = 0; at < plan.inputs.size(); ++at) {
    printer.line(lines[at + 1]);
    for (const PlannedInput::Violation& violation : plan.inputs[at].violations) {
      printer.line(fmt::format("   {}", violation_text(violation)));
    }
  }
  for (const PlannedInput::Violation& violation : plan.set_violations) {
    printer.line(fmt::format("together: {}", violation_text(violation)));
  }
}

}  // namespace

CLI::App* PlanVerb::add_to(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("plan", "Show what would become of inputs, sending nothing");
  agent_.add_to(*verb);
  inputs_.add_to(*verb);
  verb->add_flag("--json", json_, "One JSON document instead of a table");
  return verb;
}

ExitCode PlanVerb::run(Printer& printer) const {
  const std::vector<input::Input> inputs = inputs_.inputs();
  Agent agent = agent_.make_agent();
  const Plan plan = agent.plan(with_inputs(inputs));
  if (json_) {
    printer.json(plan_json(plan));
  } else {
    print_plan(printer, plan);
  }
  return plan.ok() ? ExitCode::ok : ExitCode::input_refused;
}

}  // namespace attache::cli
