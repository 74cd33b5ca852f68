// SPDX-License-Identifier: Apache-2.0
// Reading a provider's JSON, which may be anything: what is missing or of another type reads as empty.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace attache::codex {

using Json = nlohmann::ordered_json;

/// The document, or null when it is not JSON. Depth was bounded by sdk::RpcPeer.
Json parse(const std::string& text);

/// The member, or a null value.
const Json& member(const Json& object, std::string_view key);
std::string text(const Json& object, std::string_view key);
bool flag(const Json& object, std::string_view key);
std::uint64_t number(const Json& object, std::string_view key);

/// The bytes with everything that is not UTF-8 replaced by U+FFFD.
std::string as_utf8(const std::string& bytes);

}  // namespace attache::codex
