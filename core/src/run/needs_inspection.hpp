// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <attache/descriptor.hpp>
#include <attache/input.hpp>

namespace attache::run {

/// True when one of the inputs can only go a way that waits for a live inspection; of an input without a declared type,
/// when it may have to. Opens nothing.
bool needs_inspection(const std::vector<input::Input>& inputs, const InputCapabilities& capabilities);

}  // namespace attache::run
