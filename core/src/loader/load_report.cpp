// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <attache/host.hpp>

namespace attache {

std::string_view to_string(LoadAttempt::Stage stage) noexcept {
  switch (stage) {
    case LoadAttempt::Stage::search:
      return "search";
    case LoadAttempt::Stage::file:
      return "file";
    case LoadAttempt::Stage::elf:
      return "elf";
    case LoadAttempt::Stage::descriptor:
      return "descriptor";
    case LoadAttempt::Stage::version:
      return "version";
    case LoadAttempt::Stage::trust:
      return "trust";
    case LoadAttempt::Stage::probe:
      return "probe";
    case LoadAttempt::Stage::load:
      return "load";
    case LoadAttempt::Stage::identity:
      return "identity";
    case LoadAttempt::Stage::entry:
      return "entry";
    case LoadAttempt::Stage::describe:
      return "describe";
    case LoadAttempt::Stage::done:
      return "done";
  }
  return "unknown";
}

std::string LoadReport::to_text() const {
  if (attempts.empty()) return "no place was looked at\n";
  std::string out;
  for (const LoadAttempt& attempt : attempts) {
    const std::string id = attempt.id.empty() ? "" : fmt::format(" [{}]", attempt.id);
    if (attempt.stage == LoadAttempt::Stage::done) {
      out += fmt::format("{}{}: ok\n", attempt.place, id);
      continue;
    }
    out +=
        fmt::format("{}{}: {} ({}): {}\n", attempt.place, id, to_string(attempt.stage), attempt.reason, attempt.text);
    if (!attempt.hint.empty()) out += fmt::format("    hint: {}\n", attempt.hint);
  }
  return out;
}

LoadError::LoadError(errc code, std::string reason, const std::string& text, LoadReport report)
    : Error(code, std::move(reason), text), report_(std::move(report)) {}

}  // namespace attache
