// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attache::redact {

/// The spellings of a path, or another word, that a provider may show: as it is, as a file URL, percent-encoded, and
/// each of them as JSON strings write it (with and without escaped slashes, with and without \u escapes).
std::vector<std::string> path_forms(std::string_view path);

/// A byte string as JSON writes it; bytes that are no UTF-8 are kept.
std::string json_escaped(std::string_view text, bool escape_slash);

}  // namespace attache::redact
