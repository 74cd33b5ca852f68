// SPDX-License-Identifier: Apache-2.0
// Text that others wrote, made safe to show to a person.
#pragma once

#include <string>
#include <string_view>

namespace attache::cli {

/// The text as one line: control characters (line breaks included), direction marks, invisible characters and
/// bytes that are not UTF-8 are written visibly, as \xHH or \u{HHHH}. For names, notices, errors and reports.
std::string one_line(std::string_view text);

/// The text with its line breaks and tabs, otherwise like one_line(), but joiners stay (they belong to scripts
/// and emoji and reorder nothing). For answers on a terminal.
std::string shown_text(std::string_view text);

/// one_line() of at most the first `limit` bytes, cut between characters, with an ellipsis when cut.
std::string one_line(std::string_view text, std::size_t limit);

}  // namespace attache::cli
