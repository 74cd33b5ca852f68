// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.hpp"

#include <algorithm>

namespace attache::conformance {
namespace {

/// Columns of a text, a code point each.
std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1 : 0;
  return count;
}

}  // namespace

std::string wrap(const std::string& indent, const std::string& text, std::size_t width) {
  const std::string next(columns(indent), ' ');
  std::string out, line = indent;
  bool fresh = true;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!fresh && columns(line) + 1 + columns(word) > width) {
      out += line + "\n";
      line = next;
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
    at = end + 1;
  }
  return out + line + "\n";
}

}  // namespace attache::conformance
