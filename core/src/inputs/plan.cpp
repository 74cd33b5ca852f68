// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <variant>

#include "inputs/run_inputs.hpp"
#include "inputs/stages.hpp"

namespace attache {

bool Plan::ok() const noexcept {
  return set_violations.empty() &&
         std::all_of(inputs.begin(), inputs.end(), [](const PlannedInput& input) { return input.violations.empty(); });
}

namespace inputs {
namespace {

PlannedInput planned(const Subject& subject) {
  PlannedInput result;
  result.index = subject.index;
  result.kind = subject.spec->kind;
  result.name = subject.name;
  result.media_type = subject.media_type;
  result.size = subject.size.value_or(0);
  if (subject.mode != nullptr) result.mode = subject.mode->mode;
  result.exact = exactness(subject) == Exactness::inside;
  return result;
}

void examine(Subject& subject, const Terms& terms, Findings& findings) {
  declare(subject, terms, findings);
  if (input::to_string(subject.spec->kind) == "unknown") return;
  if (!subject.sound) return;
  if (std::holds_alternative<input::Opener>(subject.spec->source)) {
    // It may be called once only, and that is for the run.
    resolve_unopened(subject);
  } else {
    peek(subject, findings);
  }
  subject.source.reset();
  subject.prefix = {};
  if (subject.served && (!subject.media_type.empty() || subject.url() != nullptr))
    choose_mode(subject, terms, findings);
  check_limits(subject, terms, false, findings);
}

}  // namespace

Plan plan(const std::vector<input::Input>& inputs, const Terms& terms) {
  Findings findings(terms);
  std::vector<Subject> subjects;
  subjects.reserve(inputs.size());
  check_count(inputs.size(), terms, findings);
  for (const input::Input& input : inputs) examine(subjects.emplace_back(subjects.size(), input), terms, findings);
  if (!subjects.empty()) check_set(subjects, terms, findings);
  Plan result;
  for (const Subject& subject : subjects) result.inputs.push_back(planned(subject));
  for (const Finding& found : findings.all()) {
    const Fault& fault = found.fault;
    PlannedInput::Violation violation{fault.code, fault.reason, found.text, fault.limit_owner, fault.limit};
    if (!found.fields.index) {
      result.set_violations.push_back(std::move(violation));
      continue;
    }
    PlannedInput& input = result.inputs[*found.fields.index];
    input.mode.reset();
    input.violations.push_back(std::move(violation));
  }
  return result;
}

}  // namespace inputs
}  // namespace attache
