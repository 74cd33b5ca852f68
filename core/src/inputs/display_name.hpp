// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attache::inputs {

/// The longest display name, in bytes.
constexpr std::size_t max_name_bytes = 255;

/// A name that a host gave: zero-width characters removed and shortened to the bound with its extension kept.
/// Unset when it is not UTF-8, is "." or "..", has a separator, control or direction character, or nothing is left.
std::optional<std::string> declared_name(std::string_view given);

/// A name from a source's own, which may be any bytes: what declared_name() refuses is removed or replaced by "_".
/// Empty when nothing is left.
std::string cleaned_name(std::string_view source_name);

}  // namespace attache::inputs
