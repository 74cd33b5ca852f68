// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <attache/descriptor.hpp>

#include "loader/bounded_file.hpp"

namespace attache {

/// read_plugin_file() of a file that is open already, but for the digest: it costs more than everything else together.
FileReport read_plugin_file(const BoundedFile& file);

/// Gives a report that is ok the file's digest, or refuses it when the file changed since it was opened.
void add_digest(const BoundedFile& file, FileReport& report);

/// Hex; unset when the file cannot be read to its end. Whoever wants to rely on it looks at unchanged() afterwards.
std::optional<std::string> digest_of(const BoundedFile& file);

/// The report for a file that could not be opened.
FileReport unopened(const std::string& reason);

}  // namespace attache
