// SPDX-License-Identifier: Apache-2.0
// The configuration document of a driver, from what a person typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attache::cli {

/// At most 1 MiB. Throws Error (config_invalid).
std::string read_config_file(const std::string& path);

/// `base` with every "key=value" of `settings` set in it. A value is a string where the schema says so; elsewhere
/// it is JSON if it reads as JSON, and a string if not. Throws Error (config_invalid) without quoting a value.
std::string merge_config(std::string_view base, const std::vector<std::string>& settings, std::string_view schema);

}  // namespace attache::cli
