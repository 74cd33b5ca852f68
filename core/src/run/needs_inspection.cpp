// SPDX-License-Identifier: Apache-2.0
#include "run/needs_inspection.hpp"

#include <algorithm>
#include <variant>

#include "inputs/input_state.hpp"
#include "inputs/media_type.hpp"

namespace attache::run {
namespace {

bool needs_inspection(const input::InputAccess::State& spec, const InputCapabilities& capabilities) {
  if (input::to_string(spec.kind) == "unknown") {
    return false;
  }
  const bool url = std::holds_alternative<input::Url>(spec.source);
  const std::string type = inputs::normalize_media_type(spec.media_type).value_or("");
  bool waiting = false, ready = false;
  for (const ModeCapability& mode : capabilities.of(spec.kind).modes) {
    const bool fits = (mode.mode == input::Mode::provider_url) == url &&
                      (!spec.required.has_value() || mode.mode == *spec.required) && (type.empty() || mode.takes(type));
    waiting = waiting || (fits && mode.needs_inspection);
    ready = ready || (fits && !mode.needs_inspection);
  }
  return waiting && (!ready || type.empty());
}

}  // namespace

bool needs_inspection(const std::vector<input::Input>& inputs, const InputCapabilities& capabilities) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const input::Input& input) {
    return needs_inspection(input::InputAccess::state(input), capabilities);
  });
}

}  // namespace attache::run
