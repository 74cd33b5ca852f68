// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attache::run {

/// Whether the text is a JSON document that a host can read: parsers go one call deeper for each level, so more than
/// 512 levels are none.
bool is_document(std::string_view json);

}  // namespace attache::run
