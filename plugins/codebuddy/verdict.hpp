// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <attache/sdk/failure.hpp>

#include "json_access.hpp"

namespace attache::codebuddy {

/// The failure that a `result` frame tells, if it tells one. The exit code tells nothing: it is 0 for refused requests.
std::optional<sdk::Failure> result_failure(const Json& result);

/// The failure of an `error` frame: the turn's end, with no result after it.
sdk::Failure error_failure(const Json& error);

}  // namespace attache::codebuddy
