// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attache::conformance {

/// Plays the provider that the files in `home` describe: records this start there and answers. Returns the exit code,
/// or ends the process as the script says.
int run_tap(const std::filesystem::path& home, const std::vector<std::string>& argv);

}  // namespace attache::conformance
