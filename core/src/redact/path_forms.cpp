// SPDX-License-Identifier: Apache-2.0
#include "redact/path_forms.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "inputs/utf8.hpp"

namespace attache::redact {
namespace {

std::string percent_encoded(std::string_view path) {
  static constexpr std::string_view plain = "-._~/!$&'()*+,;=:@";
  std::string out;
  for (const char c : path) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word || plain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

/// Every character outside ASCII as \uXXXX. The text is valid UTF-8.
std::string unicode_escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1) {
      out.push_back(text[i]);
    } else {
      std::uint32_t point = lead & (0xFFU >> (length + 1));
      for (std::size_t k = 1; k < length; ++k) {
        point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
      }
      if (point >= 0x10000) {
        point -= 0x10000;
        out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (point >> 10), 0xDC00 + (point & 0x3FF));
      } else {
        out += fmt::format("\\u{:04x}", point);
      }
    }
    i += length;
  }
  return out;
}

}  // namespace

std::string json_escaped(std::string_view text, bool escape_slash) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20) {
          out += fmt::format("\\u{:04x}", byte);
        } else if (c == '/' && escape_slash) {
          out += "\\/";
        } else {
          out.push_back(c);
        }
    }
  }
  return out;
}

std::vector<std::string> path_forms(std::string_view path) {
  std::vector<std::string> plain;
  const std::string encoded = percent_encoded(path);
  for (const std::string& form : {std::string(path), encoded}) {
    plain.push_back(form);
    if (path.substr(0, 1) == "/") {
      plain.push_back("file://" + form);
      plain.push_back("file://localhost" + form);
    }
  }
  std::vector<std::string> forms = plain;
  for (const std::string& form : plain) {
    for (const bool slash : {false, true}) {
      const std::string escaped = json_escaped(form, slash);
      forms.push_back(escaped);
      if (inputs::is_utf8(escaped)) {
        forms.push_back(unicode_escaped(escaped));
      }
    }
  }
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

}  // namespace attache::redact
