// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <attache/descriptor.hpp>

#include "loader/bounded_file.hpp"

namespace attache {

/// Whether the SHA-256 of the whole file is wanted. It costs more than everything else together.
enum class WithDigest { no, yes };

/// read_plugin_file() of a file that is open already.
FileReport read_plugin_file(const BoundedFile& file, WithDigest digest);

/// Hex; unset when the file cannot be read to its end. Whoever wants to rely on it looks at unchanged() afterwards.
std::optional<std::string> digest_of(const BoundedFile& file);

/// The report for a file that could not be opened.
FileReport unopened(const std::string& reason);

}  // namespace attache
