// SPDX-License-Identifier: Apache-2.0
#include "mentions.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace attache::codebuddy {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::size_t kLongest = 4096;  ///< of a path

bool exists(std::string token, const std::string& directory, const std::string& home) {
  if (token.empty()) return false;
  if (token == "~" || token.substr(0, 2) == "~/") token = home + token.substr(1);
  std::error_code error;
  const auto status = std::filesystem::symlink_status(std::filesystem::path(directory) / token, error);
  return std::filesystem::exists(status);
}

/// A path may be followed by punctuation, a line range, a bracket or text of another script: every cut behind one of
/// these counts, so that nothing of what a reader of the text may take for the path is missed.
bool any_cut_exists(std::string_view token, const std::string& directory, const std::string& home) {
  token = token.substr(0, kLongest);
  if (exists(std::string(token), directory, home)) return true;
  for (std::size_t at = token.size(); at-- > 1;) {
    const auto byte = static_cast<unsigned char>(token[at]);
    const bool part_of_a_name = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                                (byte >= 'A' && byte <= 'Z') || byte == '/' || byte == '-' || byte == '_' ||
                                (byte >= 0x80 && byte < 0xC0);
    if (!part_of_a_name && exists(std::string(token.substr(0, at)), directory, home)) return true;
  }
  return false;
}

std::string without_escapes(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '\\' && i + 1 < token.size()) ++i;
    out += token[i];
  }
  return out;
}

/// Up to white space that no backslash stands before.
std::string_view escaped_token(std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && kSpace.find(rest[end]) == std::string_view::npos) end += rest[end] == '\\' ? 2 : 1;
  return rest.substr(0, std::min(end, rest.size()));
}

}  // namespace

bool mentions_file(std::string_view text, const std::string& directory, const std::string& home) {
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    const std::string_view rest = text.substr(at + 1, kLongest);
    if (any_cut_exists(rest.substr(0, rest.find_first_of(kSpace)), directory, home)) return true;
    const std::string_view escaped = escaped_token(rest);
    if (escaped.find('\\') != std::string_view::npos && any_cut_exists(without_escapes(escaped), directory, home)) {
      return true;
    }
    if (!rest.empty() && (rest[0] == '"' || rest[0] == '\'' || rest[0] == '<' || rest[0] == '`')) {
      const char close = rest[0] == '<' ? '>' : rest[0];
      if (exists(std::string(rest.substr(1, rest.find(close, 1) - 1)), directory, home)) return true;
    }
  }
  return false;
}

bool begins_with_command(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos || text[first] != '/') return false;
  std::string_view word = text.substr(first + 1);
  word = word.substr(0, word.find_first_of(kSpace));
  return !word.empty() && word.find('/') == std::string_view::npos;
}

}  // namespace attache::codebuddy
