// SPDX-License-Identifier: Apache-2.0
#include "terminal_text.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace attache::cli {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    return {first, 1, true};
  }
  std::size_t size = 0;
  std::uint32_t code = 0, least = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    size = 2, code = first & 0x1Fu, least = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    size = 3, code = first & 0x0Fu, least = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    size = 4, code = first & 0x07u, least = 0x10000;
  } else {
    return {first, 1, false};
  }
  if (text.size() < size) {
    return {first, 1, false};
  }
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xC0u) != 0x80u) {
      return {first, 1, false};
    }
    code = (code << 6) | (byte(at) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < least || code > 0x10FFFF || surrogate ? Character{first, 1, false} : Character{code, size, true};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool is_joiner(std::uint32_t code) {
  return code == 0x200C || code == 0x200D;
}

// Marks that reorder or hide text, and line separators a terminal may act on.
bool is_deceptive(std::uint32_t code) {
  return code == 0xAD || code == 0x61C || code == 0x180E || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

enum class Shape { line, lines };

std::string neutralise(std::string_view text, Shape shape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = decode(text);
    const std::string_view bytes = text.substr(0, character.size);
    text.remove_prefix(character.size);
    const bool layout = shape == Shape::lines && (character.code == '\n' || character.code == '\t');
    if (!character.valid || (is_control(character.code) && !layout)) {
      if (shape == Shape::lines && character.code == '\r' && text.substr(0, 1) == "\n") {
        continue;
      }
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", character.code);
    } else if (is_deceptive(character.code) && !(shape == Shape::lines && is_joiner(character.code))) {
      fmt::format_to(std::back_inserter(out), "\\u{{{:04X}}}", character.code);
    } else {
      out.append(bytes);
    }
  }
  return out;
}

}  // namespace

std::string one_line(std::string_view text) {
  return neutralise(text, Shape::line);
}

std::string shown_text(std::string_view text) {
  return neutralise(text, Shape::lines);
}

std::string one_line(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return one_line(text);
  }
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) {
    --end;
  }
  return one_line(text.substr(0, end)) + "…";
}

}  // namespace attache::cli
