// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/load_outcome.hpp"

namespace attache {

/// Refuses a driver built with a sanitizer that this process does not run under: loading it would end the process.
StepResult check_sanitizers(const FileReport& report);

}  // namespace attache
