// SPDX-License-Identifier: Apache-2.0
#include "spi/text.hpp"

#include <algorithm>

#include "inputs/utf8.hpp"

namespace attache::spi {
bool is_slug(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string safe_line(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty() && out.size() < limit) {
    const inputs::Character next = inputs::first_character(text);
    const bool plain = next.valid && next.value >= 0x20 && next.value != 0x7F;
    const std::string_view shown = plain ? text.substr(0, next.length) : std::string_view("?");
    if (out.size() + shown.size() > limit) {
      break;
    }
    out.append(shown);
    text.remove_prefix(next.length);
  }
  return out;
}

}  // namespace attache::spi
