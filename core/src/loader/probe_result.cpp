// SPDX-License-Identifier: Apache-2.0
#include "loader/probe_result.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

constexpr std::string_view mark = "attache-probe 1";

std::string field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

std::string probe_line(const StepResult& result) {
  return fmt::format("{}\t{}\t{}\t{}\t{}", mark, to_string(result.stage), field(result.reason), field(result.text),
                     field(result.hint));
}

std::optional<StepResult> parse_probe_line(std::string_view line) {
  std::array<std::string_view, 5> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == fields.size())) return std::nullopt;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(std::min(line.size(), fields[i].size() + 1));
  }
  if (fields[0] != mark) return std::nullopt;
  constexpr std::array stages{Stage::file, Stage::elf,   Stage::descriptor, Stage::version,  Stage::trust,
                              Stage::load, Stage::entry, Stage::identity,   Stage::describe, Stage::done};
  const auto stage =
      std::find_if(stages.begin(), stages.end(), [&](Stage known) { return to_string(known) == fields[1]; });
  if (stage == stages.end()) return std::nullopt;
  return StepResult{*stage, std::string(fields[2]), std::string(fields[3]), std::string(fields[4])};
}

}  // namespace attache
