// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "inputs/source.hpp"

namespace attache::inputs {

/// A source that reads from what `open` gives. Nothing the host's code throws passes, and none of its text but to
/// FaultError's detail. Throws FaultError: open_failed.
std::unique_ptr<Source> open_reader(const std::function<std::unique_ptr<input::Reader>()>& open, std::string name);

}  // namespace attache::inputs
