// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <attache/sdk/spi.h>

#include "loader/bounded_file.hpp"
#include "loader/load_outcome.hpp"

namespace attache {

struct OpenLibrary {
  std::shared_ptr<void> library;  ///< keeps the library loaded
  attache_driver_entry_v1_fn entry = nullptr;
};

/// Loads a checked file (now, local, never unloaded) and sees to it that what is mapped is that very file.
/// Runs the library's constructors. Stages load and identity.
StepResult open_library(const BoundedFile& file, OpenLibrary& out);

}  // namespace attache
