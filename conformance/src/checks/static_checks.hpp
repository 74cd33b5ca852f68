// SPDX-License-Identifier: Apache-2.0
// FILE and DESC: what can be said without running a byte of the plugin.
#pragma once

#include <string>
#include <vector>

#include <attache/descriptor.hpp>

#include "check/result.hpp"

namespace attache::conformance {

/// The ids this file gives results for, one each.
const std::vector<std::string>& static_check_ids();

std::vector<CheckResult> static_checks(const FileReport& file);

}  // namespace attache::conformance
