// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attache::conformance {

/// conformance/registry.json, as it was when the kit was built.
std::string_view registry_text();

}  // namespace attache::conformance
