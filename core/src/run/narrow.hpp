// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <attache/descriptor.hpp>

namespace attache::run {

/// Descriptor ∩ configuration. `part` may only narrow `whole`: fewer kinds, modes and media types, smaller limits;
/// an absent limit keeps that of `whole`. Empty when it widens; `fault` then names the kind or limit.
std::optional<InputCapabilities> narrow(const InputCapabilities& whole, const InputCapabilities& part,
                                        std::string& fault);

}  // namespace attache::run
