// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/spi.h>

#include "loader/load_outcome.hpp"

namespace attache {

/// Calls the entry function and checks the table it gives, then that describe() puts the descriptor of the file.
/// Stages entry and describe. On success `table` is the driver's.
StepResult enter_driver(attache_driver_entry_v1_fn entry, const Descriptor& descriptor, const attache_driver*& table);

}  // namespace attache
