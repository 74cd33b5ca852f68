// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <attache/input_kind.hpp>

namespace attache {

/// A lower-case "type/subtype" without parameters, or "type/*".
bool is_media_type_pattern(std::string_view text) noexcept;

/// Whether a pattern may stand under a kind. A file may have any type, but not all of image, audio or video.
bool belongs_to(std::string_view pattern, input::Kind kind) noexcept;

}  // namespace attache
