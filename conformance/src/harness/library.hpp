// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace attache::conformance {

/// Opens a library for good, now + local, and finds a function in it. Throws HarnessError.
void (*open_entry(const std::filesystem::path& library, const char* symbol))();

}  // namespace attache::conformance
