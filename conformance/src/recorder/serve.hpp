// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "wire/dialect.hpp"

namespace attache::conformance {

/// `attache-conformance serve`: runs a recorder until SIGINT or SIGTERM and hands a line on at the start (the base URL)
/// and for each request (method, path, blocks with sizes and digests; no content). Throws as Recorder does.
void serve(const std::filesystem::path& directory, const Dialect& dialect, const std::string& scenario,
           std::uint16_t port, const std::function<void(const std::string&)>& on_line);

}  // namespace attache::conformance
