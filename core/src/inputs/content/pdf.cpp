// SPDX-License-Identifier: Apache-2.0
// A PDF must have its end marker, and must not be locked. Locked is judged by the trailer dictionary alone, so that
// the word in a page's text means nothing: `startxref` at the end names a place, where either a cross-reference
// table with a trailer stands, or a cross-reference stream whose dictionary is the trailer. What stands anywhere
// else is not looked at, and a file whose trailer is not found is taken as not locked.
#include "inputs/content/content.hpp"
#include "inputs/content/pdf_dictionary.hpp"

namespace attache::inputs {
namespace {

constexpr std::size_t window = std::size_t{64} << 10;
constexpr std::string_view white = std::string_view("\0\t\n\f\r ", 6);

std::string_view without_leading_white(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(white);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<std::uint64_t> number(std::string_view& text) noexcept {
  text = without_leading_white(text);
  std::uint64_t value = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 19 && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (byte_of(text, digits++) - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

/// The dictionary of an object "N G obj << … >>"; empty when there is none.
std::string_view object_dictionary(std::string_view text) noexcept {
  if (!number(text) || !number(text)) return {};
  text = without_leading_white(text);
  return text.starts_with("obj") ? without_leading_white(text.substr(3)) : std::string_view();
}

bool trailer_is_locked(std::string_view text) noexcept {
  return pdf_dictionary_has(without_leading_white(text), "Encrypt");
}

bool is_locked(const ByteView& whole, std::string_view tail, std::uint64_t tail_offset) {
  const auto keyword = tail.rfind("startxref");
  if (keyword == std::string_view::npos) return false;
  std::string_view after = tail.substr(keyword + 9);
  const auto place = number(after);
  if (!place || *place >= whole.size()) return false;
  const std::string there = text_at(whole, *place, window);
  const std::string_view section = without_leading_white(there);
  if (!section.starts_with("xref")) {
    const std::string_view dictionary = object_dictionary(section);
    return pdf_dictionary_has(dictionary, "W") && pdf_dictionary_has(dictionary, "Encrypt");
  }
  const auto trailer = section.find("trailer");
  if (trailer != std::string_view::npos) return trailer_is_locked(section.substr(trailer + 7));
  // A table longer than the window: its trailer stands right before `startxref`.
  const auto last = tail.substr(0, keyword).rfind("trailer");
  if (last == std::string_view::npos || tail_offset + last < *place) return false;
  return trailer_is_locked(tail.substr(last + 7, keyword - last - 7));
}

}  // namespace

std::optional<ContentFault> check_pdf(const ByteView& whole) {
  constexpr std::size_t end_window = 1024;
  const std::uint64_t tail_offset = whole.size() > window ? whole.size() - window : 0;
  const std::string held = text_at(whole, tail_offset, window);
  std::string_view tail = held;
  tail = tail.substr(0, tail.find_last_not_of(white) + 1);
  const auto end = tail.rfind("%%EOF");
  if (end == std::string_view::npos || tail.size() - end > end_window) {
    return ContentFault{"pdf_truncated", "the PDF has no end marker"};
  }
  if (is_locked(whole, tail, tail_offset)) {
    return ContentFault{"pdf_encrypted", "the PDF is locked by encryption"};
  }
  return std::nullopt;
}

}  // namespace attache::inputs
