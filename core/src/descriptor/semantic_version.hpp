// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attache {

/// Whether a text is a version of Semantic Versioning 2.0.0.
bool is_semantic_version(std::string_view text) noexcept;

}  // namespace attache
