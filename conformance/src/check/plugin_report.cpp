// SPDX-License-Identifier: Apache-2.0
#include "check/plugin_report.hpp"

#include <algorithm>

namespace attache::conformance {

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::conformant:
      return "conformant";
    case Verdict::not_conformant:
      return "not conformant";
    case Verdict::incomplete:
      return "incomplete";
    case Verdict::kit_fault:
      return "fault of the kit";
  }
  return "fault of the kit";
}

int exit_code(const std::vector<PluginReport>& reports) noexcept {
  auto any = [&](Verdict verdict) {
    return std::any_of(reports.begin(), reports.end(),
                       [&](const PluginReport& report) { return report.verdict == verdict; });
  };
  if (any(Verdict::kit_fault)) return 4;
  if (any(Verdict::not_conformant)) return 1;
  return any(Verdict::incomplete) ? 3 : 0;
}

}  // namespace attache::conformance
