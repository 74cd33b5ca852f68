// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/failure.hpp>

#include "json_access.hpp"
#include "limits.hpp"

namespace attache::codex {

/// Parameters of `initialize`. `quiet_items`: no item notifications, which repeat every image twice; what they say
/// comes as raw items too. Without raw items (`quiet_items` false) only their first half is left out.
std::string initialize_params(bool quiet_items);

/// Parameters of `model/list`.
std::string model_list_params(const std::string& cursor = {});

/// The CLI's version from the reply to `initialize`; zeroes when it tells none.
Version version_of(const Json& initialized);

}  // namespace attache::codex
