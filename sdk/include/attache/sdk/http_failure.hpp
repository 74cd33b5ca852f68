// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <attache/sdk/failure.hpp>

namespace attache::sdk {

/// What an HTTP status that a CLI reports of its provider means, with the status as provider code: provider_refused
/// (`invalid_request`, `authentication_failed`, `permission_denied`, `not_found`, `request_too_large`), provider_failed
/// (`rate_limited`, `overloaded`, `server_error`). Nothing: not one of these. Any thread. \since 0.2
std::optional<Failure> http_failure(std::uint32_t status);

}  // namespace attache::sdk
