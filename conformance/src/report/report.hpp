// SPDX-License-Identifier: Apache-2.0
// Forms of a report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/plugin_report.hpp"

namespace attache::conformance {

struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;
  bool evidence = false;  ///< also of checks that passed
  /// What standard output is.
  static TerminalStyle of_standard_output();
};

std::string render_terminal(const PluginReport& report, const TerminalStyle& style);

/// The whole result file; conformance/report.schema.json has its form. `started` is an RFC 3339 time.
std::string render_json(const std::vector<PluginReport>& reports, std::string_view started);
/// The inverse. Throws std::runtime_error for what is no result file of this version.
std::vector<PluginReport> parse_report(std::string_view json);

/// The registry for people, and as the page docs/conformance/checks.md.
std::string render_list(const TerminalStyle& style);
std::string render_list_json();
std::string render_list_markdown();

inline constexpr std::string_view kit_version = ATTACHE_KIT_VERSION;

}  // namespace attache::conformance
