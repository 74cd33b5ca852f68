// SPDX-License-Identifier: Apache-2.0
// JSON as the SPI takes it: nothing that two readers could understand differently.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/descriptor.hpp>

namespace attache::json {

inline constexpr std::size_t max_depth = 32;

/// Parses a document of at most `max_bytes`: strict UTF-8 without a byte order mark, no duplicate keys, nesting of
/// at most max_depth. False when it cannot be used; then `faults` says why and `out` is unspecified. Texts never
/// hold a value of the document.
bool parse_strict(std::string_view text, std::size_t max_bytes, nlohmann::ordered_json& out,
                  std::vector<DescriptorFault>& faults);

/// The JSON pointer of a member or element.
std::string child(std::string_view pointer, std::string_view key);
std::string child(std::string_view pointer, std::size_t index);

}  // namespace attache::json
