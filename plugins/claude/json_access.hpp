// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/json_access.hpp>

namespace attache::claude {

using Json = nlohmann::ordered_json;
using sdk::flag;
using sdk::member;
using sdk::number;
using sdk::text;

}  // namespace attache::claude
