// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace attache::conformance {

/// The running program's own file.
std::filesystem::path own_executable();
/// The kit's dialects, beside the running program's installation. Empty: not found.
std::filesystem::path kit_dialects();
/// The installed attache-tap. Empty: not found.
std::filesystem::path kit_tap();

}  // namespace attache::conformance
