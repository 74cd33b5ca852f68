// SPDX-License-Identifier: Apache-2.0
#include "inputs/content/pdf_dictionary.hpp"

#include <algorithm>

namespace attache::inputs {
namespace {

constexpr std::string_view ends_name = std::string_view("\0\t\n\f\r ()<>[]{}/%", 16);

/// Length of the literal string "( … )" at the start.
std::size_t string_length(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')' && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

/// Length through the first of `ends`.
std::size_t through(std::string_view text, std::string_view ends) noexcept {
  const auto end = text.find_first_of(ends);
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

bool pdf_dictionary_has(std::string_view text, std::string_view key) noexcept {
  std::size_t depth = 0;
  while (!text.empty()) {
    std::size_t length = 1;
    if (text.starts_with("<<")) {
      ++depth;
      length = 2;
    } else if (depth == 0) {
      return false;
    } else if (text.starts_with(">>")) {
      if (--depth == 0) return false;
      length = 2;
    } else if (text.front() == '(') {
      length = string_length(text);
    } else if (text.front() == '<') {
      length = through(text, ">");
    } else if (text.front() == '%') {
      length = through(text, "\r\n");
    } else if (text.front() == '/') {
      const std::string_view name = text.substr(1, text.find_first_of(ends_name, 1) - 1);
      if (depth == 1 && name == key) return true;
      length = name.size() + 1;
    }
    text.remove_prefix(std::min(length, text.size()));
  }
  return false;
}

}  // namespace attache::inputs
