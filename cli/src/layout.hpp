// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attache::cli {

/// "68 B", "1.2 KiB", "34.0 MiB", …
std::string human_size(std::uint64_t bytes);

/// Rows as lines with aligned columns, two spaces apart. Cells are neutralised.
std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows);

}  // namespace attache::cli
