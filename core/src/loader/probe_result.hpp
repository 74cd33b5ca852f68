// SPDX-License-Identifier: Apache-2.0
// What the probe program tells the host: one line of tab-separated fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "loader/load_outcome.hpp"

namespace attache {

/// The line, without its end.
std::string probe_line(const StepResult& result);

/// The result in the line; nothing when the line is not one of the probe's.
std::optional<StepResult> parse_probe_line(std::string_view line);

}  // namespace attache
