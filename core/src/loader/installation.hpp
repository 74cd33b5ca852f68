// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <attache/host.hpp>

namespace attache {

/// Where the installation's drivers are. Found at run time: an installation may be moved.
std::filesystem::path installed_driver_directory(const HostOptions& options);

/// The program that loads a driver in a process of its own.
std::filesystem::path installed_probe(const HostOptions& options);

}  // namespace attache
