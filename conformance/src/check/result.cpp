// SPDX-License-Identifier: Apache-2.0
#include "check/result.hpp"

#include <array>
#include <utility>

namespace attache::conformance {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 7> words = {{
    {Outcome::pass, "pass"},
    {Outcome::fail, "fail"},
    {Outcome::crashed, "crashed"},
    {Outcome::timed_out, "timed-out"},
    {Outcome::not_applicable, "not-applicable"},
    {Outcome::not_run, "not-run"},
    {Outcome::warn, "warn"},
}};

}  // namespace

std::string_view to_string(Outcome outcome) noexcept {
  for (const auto& [value, word] : words) {
    if (value == outcome) return word;
  }
  return "not-run";
}

std::optional<Outcome> outcome_from_string(std::string_view word) noexcept {
  for (const auto& [value, known] : words) {
    if (known == word) return value;
  }
  return std::nullopt;
}

}  // namespace attache::conformance
