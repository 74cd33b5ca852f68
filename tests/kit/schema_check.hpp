// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace attache::conformance {

/// What a document breaks of a JSON Schema that uses type, properties, required, additionalProperties (false), items,
/// enum, const, pattern, minimum and local $ref. Throws std::logic_error for a schema that uses more.
std::vector<std::string> validate(const nlohmann::json& schema, const nlohmann::json& document);

}  // namespace attache::conformance
