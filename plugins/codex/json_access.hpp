// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/json_access.hpp>

namespace attache::codex {

using Json = nlohmann::ordered_json;
using sdk::flag;
using sdk::member;
using sdk::number;
using sdk::text;

/// The document; null when it is none that sdk::parse_json() reads.
Json parse(const std::string& text);

}  // namespace attache::codex
