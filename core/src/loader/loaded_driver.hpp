// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <attache/host.hpp>
#include <attache/sdk/spi.h>

#include "loader/bounded_file.hpp"

namespace attache {

/// A driver library in this process; lives until the process ends.
struct LoadedDriver {
  Descriptor descriptor;
  std::filesystem::path path;
  FileFacts facts;                        ///< of the file as it was checked
  const attache_driver* table = nullptr;  ///< use spi::driver_function() to read an entry: the table may be shorter
};

/// The inside of a Driver handle, for the rest of core.
struct DriverAccess {
  static const LoadedDriver& get(const Driver& driver) noexcept;
  static Driver make(std::shared_ptr<const LoadedDriver> loaded) noexcept;
};

}  // namespace attache
