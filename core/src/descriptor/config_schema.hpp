// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema that a descriptor's "config" may use, and the check of a configuration against it.
//
// Keywords: type (one name), properties, required, additionalProperties (true or false), items, enum, const, minimum,
// maximum, minLength, maxLength. Annotations: title, description, default, examples, secret, volatile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/descriptor.hpp>

namespace attache {

/// What is wrong with the schema itself. An unknown keyword is a fault: it would be believed and not enforced.
void check_schema(const nlohmann::ordered_json& schema, const std::string& pointer,
                  std::vector<DescriptorFault>& faults);

enum class Required { enforce, ignore_at_top };

/// What is wrong with a value under a schema that has no faults. Texts name rules and keys, never a value.
void check_value(const nlohmann::ordered_json& schema, const nlohmann::ordered_json& value, const std::string& pointer,
                 Required required, std::vector<DescriptorFault>& faults);

/// What is wrong with a configuration: at most 1 MiB of strict JSON (no duplicate keys) under the descriptor's schema.
/// Empty: nothing. Texts never hold a value of the configuration. Any thread.
std::vector<DescriptorFault> check_config(const Descriptor& descriptor, std::string_view config_json);

}  // namespace attache
