// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <attache/error.hpp>
#include <attache/sdk/spi.h>

namespace attache::run {

/// The class of failure that a driver's status stands for.
errc code_of(attache_status status) noexcept;

/// A driver's sentence as one safe line of bounded length, without any text that stands in its configuration: it may be
/// a secret.
std::string without_values(const std::string& config_json, std::string_view text);

}  // namespace attache::run
