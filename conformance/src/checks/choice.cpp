// SPDX-License-Identifier: Apache-2.0
#include "checks/choice.hpp"

#include <algorithm>
#include <stdexcept>

#include "canary/canary.hpp"

namespace attache::conformance {

bool can_make(input::Kind kind, const std::string& media_type) {
  const auto types = canary_types(kind);
  return std::find(types.begin(), types.end(), media_type) != types.end();
}

std::vector<Cell> sendable_cells(const Descriptor& descriptor) {
  std::vector<Cell> cells;
  for (auto& cell : declared_cells(descriptor)) {
    const bool usable = !capability(descriptor, cell).needs_inspection && cell.mode != input::Mode::provider_url;
    if (usable && can_make(cell.kind, cell.media_type)) cells.push_back(std::move(cell));
  }
  return cells;
}

std::optional<input::Kind> undeclared_kind(const Descriptor& descriptor) {
  for (auto kind : all_kinds) {
    if (descriptor.inputs.of(kind).modes.empty()) return kind;
  }
  return std::nullopt;
}

std::optional<std::string> undeclared_type(const Descriptor& descriptor, input::Kind kind) {
  const auto& modes = descriptor.inputs.of(kind).modes;
  for (auto& type : canary_types(kind)) {
    if (std::none_of(modes.begin(), modes.end(), [&](const ModeCapability& mode) { return mode.takes(type); })) {
      return type;
    }
  }
  return std::nullopt;
}

std::optional<input::Mode> missing_mode(const Descriptor& descriptor, input::Kind kind, const std::string& media_type) {
  const auto& modes = descriptor.inputs.of(kind).modes;
  for (auto wanted : {input::Mode::workspace_reference, input::Mode::native}) {
    const bool there = std::any_of(modes.begin(), modes.end(), [&](const ModeCapability& mode) {
      return mode.mode == wanted && mode.takes(media_type);
    });
    if (!there) return wanted;
  }
  return std::nullopt;
}

const ModeCapability& capability(const Descriptor& descriptor, const Cell& cell) {
  for (const auto& mode : descriptor.inputs.of(cell.kind).modes) {
    if (mode.mode == cell.mode && mode.takes(cell.media_type)) return mode;
  }
  throw std::logic_error("a cell that the descriptor does not declare");
}

std::size_t input_count(const Descriptor& descriptor, const Cell& cell, std::size_t most) {
  std::uint64_t count = std::min<std::uint64_t>(most, InputLimits::default_max_count);
  count = std::min(count, descriptor.inputs.limits.max_count.value_or(count));
  return static_cast<std::size_t>(std::min(count, capability(descriptor, cell).max_count.value_or(count)));
}

std::uint64_t size_allowed(const ModeCapability& mode, std::uint64_t cap) {
  cap = std::min(cap, mode.max_bytes.value_or(cap));
  if (mode.max_encoded_bytes) {
    // Text may double when it is escaped; base64 takes a third more.
    cap = std::min(cap, mode.encoding == "text" ? *mode.max_encoded_bytes / 2 : *mode.max_encoded_bytes / 4 * 3);
  }
  return cap;
}

}  // namespace attache::conformance
