// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/json_access.hpp>

namespace attache::codebuddy {

using Json = nlohmann::ordered_json;
using sdk::flag;
using sdk::member;
using sdk::text;

}  // namespace attache::codebuddy
