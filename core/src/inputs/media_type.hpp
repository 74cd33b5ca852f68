// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attache::inputs {

/// Lower case, parameters dropped, aliases folded. Empty for what counts as absent (nothing, or
/// application/octet-stream); unset when it is malformed.
std::optional<std::string> normalize_media_type(std::string_view declared);

/// The type that a file name's extension stands for; empty: not known.
std::string_view media_type_of_name(std::string_view name) noexcept;

/// An extension for a type, with its dot; ".bin" when none is known.
std::string_view extension_of(std::string_view media_type) noexcept;

}  // namespace attache::inputs
