// SPDX-License-Identifier: Apache-2.0
// How a failure is told: exit code, lines for a person, JSON for a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/error.hpp>

#include "exit_codes.hpp"

namespace attache::cli {

ExitCode exit_code(const Error& error) noexcept;

/// "<text> (<code>/<reason>)", then what else is worth knowing, one line each: places searched, what the driver
/// suggests instead, whether running again is safe. Not yet neutralised.
std::vector<std::string> failure_lines(const Error& error);

/// The last line of --json output: {"type":"error",…}.
nlohmann::ordered_json failure_json(const Error& error);

}  // namespace attache::cli
