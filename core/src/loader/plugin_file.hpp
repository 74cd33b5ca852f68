// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/descriptor.hpp>

#include "loader/bounded_file.hpp"

namespace attache {

/// read_plugin_file() of a file that is open already.
FileReport read_plugin_file(const BoundedFile& file);

/// The report for a file that could not be opened.
FileReport unopened(const std::string& reason);

}  // namespace attache
