// SPDX-License-Identifier: Apache-2.0
// URLs that the provider fetches. Nothing here opens one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inputs/fault.hpp"
#include "inputs/run_inputs.hpp"

namespace attache::inputs {

/// Scheme and host in lower case; the host without its port.
struct UrlParts {
  std::string scheme, host;
};

/// Of a URL that history::url_fault() has nothing against.
UrlParts url_parts(std::string_view url);

/// Why this agent and driver do not let the provider fetch a URL that has no fault of its own: urls_not_allowed,
/// scheme_unsupported, host_not_allowed. Empty: they do.
std::vector<Fault> url_refusals(std::string_view url, const Terms& terms);

}  // namespace attache::inputs
