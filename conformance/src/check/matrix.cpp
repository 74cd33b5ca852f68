// SPDX-License-Identifier: Apache-2.0
#include "check/matrix.hpp"

#include <algorithm>
#include <stdexcept>

#include "canary/canary.hpp"

namespace attache::conformance {
namespace {

bool is_pattern(const std::string& media_type) {
  return media_type.size() > 2 && media_type.ends_with("/*");
}

std::vector<std::string> types_to_try(input::Kind kind, const ModeCapability& mode) {
  std::vector<std::string> types;
  for (const auto& declared : mode.media_types) {
    if (!is_pattern(declared)) types.push_back(declared);
  }
  for (const auto& known : canary_types(kind)) {
    if (mode.takes(known) && std::find(types.begin(), types.end(), known) == types.end()) types.push_back(known);
  }
  return types;
}

std::string state_at_real(const Cell& cell, const PluginReport& report) {
  std::string state = "not run";
  for (const auto& result : report.results) {
    if ((result.id != "REAL-701" && result.id != "REAL-702") || result.coordinates != cell.text()) continue;
    if (result.outcome == Outcome::not_run) continue;
    if (result.outcome != Outcome::pass && result.outcome != Outcome::not_applicable) return "disproved";
    if (result.id == "REAL-701") state = result.outcome == Outcome::pass ? "proved(real)" : "altered(real)";
  }
  return state;
}

std::string state_of(const Descriptor& descriptor, const Cell& cell, const PluginReport& report) {
  if (report.provider == "real") return state_at_real(cell, report);
  for (const auto& result : report.results) {
    if (result.id != "WIRE-101" || result.coordinates != cell.text()) continue;
    if (result.outcome == Outcome::pass) return descriptor.transport == "http" ? "proved(recorder)" : "proved(tap)";
    if (result.outcome != Outcome::not_run && result.outcome != Outcome::not_applicable) return "disproved";
  }
  return "not run";
}

}  // namespace

std::string Cell::text() const {
  return std::string(input::to_string(kind)) + "," + std::string(input::to_string(mode)) + "," + media_type;
}

Cell Cell::parse(const std::string& text) {
  auto first = text.find(','), second = text.find(',', first + 1);
  if (first == std::string::npos || second == std::string::npos) throw std::invalid_argument("no cell");
  auto kind = input::kind_from_string(text.substr(0, first));
  auto mode = input::mode_from_string(text.substr(first + 1, second - first - 1));
  if (!kind || !mode) throw std::invalid_argument("no cell");
  return {*kind, *mode, text.substr(second + 1)};
}

std::vector<Cell> declared_cells(const Descriptor& descriptor) {
  std::vector<Cell> cells;
  for (auto kind : all_kinds) {
    for (const auto& mode : descriptor.inputs.of(kind).modes) {
      for (auto& type : types_to_try(kind, mode)) cells.push_back({kind, mode.mode, std::move(type)});
    }
  }
  return cells;
}

std::vector<MatrixCell> make_matrix(const Descriptor& descriptor, const PluginReport& report) {
  std::vector<MatrixCell> matrix;
  for (auto kind : all_kinds) {
    std::string word(input::to_string(kind));
    const auto& modes = descriptor.inputs.of(kind).modes;
    if (modes.empty()) matrix.push_back({word, "", "", "unsupported"});
    for (const auto& mode : modes) {
      for (auto& type : types_to_try(kind, mode)) {
        Cell cell{kind, mode.mode, type};
        matrix.push_back({word, std::string(input::to_string(mode.mode)), type, state_of(descriptor, cell, report)});
      }
      bool open = mode.media_types.empty() || std::any_of(mode.media_types.begin(), mode.media_types.end(), is_pattern);
      if (open) matrix.push_back({word, std::string(input::to_string(mode.mode)), "others", "open"});
    }
  }
  return matrix;
}

LoadAttempt load_failure(const std::filesystem::path& plugin, const FileReport& file) {
  using Stage = LoadAttempt::Stage;
  LoadAttempt attempt;
  attempt.place = plugin.string();
  attempt.reason = file.reason;
  attempt.text = file.text;
  attempt.hint = file.hint;
  attempt.id = file.descriptor ? file.descriptor->id : "";
  if (file.reason == "not_found" || file.reason == "not_regular" || file.reason == "unreadable") {
    attempt.stage = Stage::file;
  } else if (file.reason == "other_spi_major") {
    attempt.stage = Stage::version;
  } else if (file.reason == "no_descriptor" || file.reason == "descriptor_invalid") {
    attempt.stage = Stage::descriptor;
  } else {
    attempt.stage = Stage::elf;
  }
  return attempt;
}

}  // namespace attache::conformance
