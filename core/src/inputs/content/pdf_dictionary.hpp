// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attache::inputs {

/// Whether a PDF dictionary, which must stand at the start of the text, has a key. Strings, comments and nested
/// dictionaries are passed over. False for text that is no dictionary.
bool pdf_dictionary_has(std::string_view text, std::string_view key) noexcept;

}  // namespace attache::inputs
