// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attache::conformance {

struct KitRun {
  int exit_code = -1;  ///< -1: ended by a signal
  std::string output, errors;
};

/// Runs attache-conformance.
KitRun run_kit(std::vector<std::string> arguments);
/// A fresh folder below the test's temporary directory.
std::filesystem::path fresh_folder();
std::string read_all(const std::filesystem::path& file);
void write_all(const std::filesystem::path& file, const std::string& bytes);

}  // namespace attache::conformance
