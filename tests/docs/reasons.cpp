// SPDX-License-Identifier: Apache-2.0
#include "reasons.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "command/command.hpp"

namespace attache::test {
namespace {

struct Token {
  enum class Kind { word, literal, mark } kind = Kind::mark;
  std::string text;
};
using Tokens = std::vector<Token>;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The place behind the literal that begins at `at`, quotes included.
std::size_t literal_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

Tokens tokens_of(std::string_view text) {
  Tokens out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      end = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (rest.starts_with("R\"(")) {
      end = std::min(text.find(")\"", at + 3), text.size() - 2) + 2;
      out.push_back({Token::Kind::literal, "(raw)"});
    } else if (text[at] == '"') {
      end = literal_end(text, at);
      out.push_back({Token::Kind::literal, std::string(text.substr(at + 1, end - at - 2))});
    } else if (text[at] == '\'') {
      end = literal_end(text, at);
    } else if (in_word(text[at])) {
      while (end < text.size() && in_word(text[end])) ++end;
      // 1'000: the mark is inside of the number.
      while (std::isdigit(static_cast<unsigned char>(text[at])) != 0 && end + 1 < text.size() && text[end] == '\'' &&
             in_word(text[end + 1])) {
        for (++end; end < text.size() && in_word(text[end]);) ++end;
      }
      out.push_back({Token::Kind::word, std::string(text.substr(at, end - at))});
    } else if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      out.push_back({Token::Kind::mark, std::string(1, text[at])});
    }
    at = end;
  }
  return out;
}

bool is_slug(const Token& token) {
  static const std::regex slug("[a-z][a-z0-9_]*[a-z0-9]");
  return token.kind == Token::Kind::literal && std::regex_match(token.text, slug);
}

bool is_part(const Token& token) {
  static const std::regex part("[a-z0-9_]*\\{\\}_[a-z0-9_]+|[a-z0-9_]+_\\{\\}|[a-z][a-z0-9_]*_|_[a-z0-9_]*[a-z0-9]");
  return token.kind == Token::Kind::literal && std::regex_match(token.text, part);
}

/// Whether the tokens at `at` are these; "" stands for any slug.
bool are(const Tokens& tokens, std::size_t at, const std::vector<std::string>& wanted) {
  if (at + wanted.size() > tokens.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Token& token = tokens[at + i];
    if (wanted[i].empty() ? !is_slug(token) : token.kind == Token::Kind::literal || token.text != wanted[i]) {
      return false;
    }
  }
  return true;
}

/// Hands on every slug of the expression that begins at `at`, up to what ends it or one of `ends` outside of brackets.
template <class Take>
std::size_t each_slug(const Tokens& tokens, std::size_t at, std::string_view ends, const Take& take) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (is_slug(token)) take(token.text);
    if (token.kind != Token::Kind::mark) continue;
    const char mark = token.text.front();
    if (depth == 0 && (mark == ')' || mark == '}' || ends.find(mark) != std::string_view::npos)) break;
    depth += mark == '(' || mark == '{' ? 1 : mark == ')' || mark == '}' ? -1 : 0;
  }
  return at;
}

bool is_any(const Token& token, const std::vector<std::string>& names) {
  return token.kind == Token::Kind::word && std::find(names.begin(), names.end(), token.text) != names.end();
}

void find_reasons(const Tokens& tokens, std::size_t at, Slugs& out) {
  // Functions and types whose first argument is the reason, or one of the first ones.
  static const std::vector<std::string> first{"invalid",   "too_large",    "refusal", "base_fault", "fault",
                                              "bad_table", "failed",       "error",   "contract",   "internal",
                                              "Fault",     "ContentFault", "Refusal"};
  static const std::vector<std::string> several{"refuse", "need"};
  const auto plain = [&](const std::string& slug) { out.reasons[slug]; };
  if (are(tokens, at, {"errc", ":", ":"}) && are(tokens, at + 4, {","})) {
    const std::string& code = tokens[at + 3].text;
    each_slug(tokens, at + 5, ",", [&](const std::string& slug) { out.reasons[slug].insert(code); });
  } else if ((are(tokens, at, {"Stage", ":", ":"}) || are(tokens, at, {"Status", ":", ":"})) &&
             are(tokens, at + 4, {","})) {
    each_slug(tokens, at + 5, ",", plain);
  } else if (are(tokens, at, {"{", "stage", ","})) {
    each_slug(tokens, at + 3, ",", plain);
  } else if (is_any(tokens[at], first) && (are(tokens, at + 1, {"("}) || are(tokens, at + 1, {"{"}))) {
    each_slug(tokens, at + 2, ",", plain);
  } else if (is_any(tokens[at], several) && are(tokens, at + 1, {"("})) {
    each_slug(tokens, at + 2, "", plain);
  } else if (are(tokens, at, {"reason", "="}) && !are(tokens, at + 2, {"="})) {
    each_slug(tokens, at + 2, ";", plain);
  } else if (are(tokens, at, {"return", "{", "", ","})) {
    // The sentence of a notice is one for people, with a capital letter.
    const bool capital =
        at + 4 < tokens.size() && std::isupper(static_cast<unsigned char>(tokens[at + 4].text[0])) != 0;
    if (capital && tokens[at + 4].kind == Token::Kind::literal) {
      out.notices.insert(tokens[at + 2].text);
    } else {
      plain(tokens[at + 2].text);
    }
  }
}

void find_notices(const Tokens& tokens, std::size_t at, Slugs& out) {
  static const std::array<std::vector<std::string>, 4> openings{
      {{"note", "(", "{"}, {"Notice", "{"}, {"Notice", "notice", "{"}, {"notices", ".", "push_back", "(", "{"}}};
  for (const std::vector<std::string>& opening : openings) {
    if (are(tokens, at, opening) && at + opening.size() < tokens.size() && is_slug(tokens[at + opening.size()])) {
      out.notices.insert(tokens[at + opening.size()].text);
    }
  }
}

std::vector<std::string> in_backticks(const std::string& cell) {
  static const std::regex quoted("`([^`]+)`");
  std::vector<std::string> found;
  for (std::sregex_iterator i(cell.begin(), cell.end(), quoted), end; i != end; ++i) found.push_back((*i)[1].str());
  return found;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) cells.push_back(cell);
  return cells;
}

}  // namespace

void scan(std::string_view source, Slugs& out) {
  const Tokens tokens = tokens_of(source);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool included = at > 0 && tokens[at - 1].text == "include";
    if (is_slug(tokens[at]) && !included) out.words.insert(tokens[at].text);
    if (is_part(tokens[at])) out.parts.insert(tokens[at].text);
    find_reasons(tokens, at, out);
    find_notices(tokens, at, out);
  }
}

Slugs scan_sources(const std::string& directory) {
  Slugs out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::filesystem::path type = entry.path().extension();
    if (type == ".cpp" || type == ".hpp") scan(read_file(entry.path().string()), out);
  }
  return out;
}

std::map<std::string, std::set<std::string>> listed_slugs(std::string_view page, std::string_view header) {
  std::map<std::string, std::set<std::string>> listed;
  std::istringstream text{std::string(page)};
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    const bool row = line.starts_with("| ");
    if (!row && !line.starts_with("|---")) inside = false;
    if (line.starts_with(header)) inside = true;
    if (!inside || !row || line.starts_with(header)) continue;
    const std::vector<std::string> cells = cells_of(line);
    for (const std::string& slug : in_backticks(cells.at(0))) {
      for (const std::string& code : in_backticks(cells.size() > 1 ? cells[1] : "")) listed[slug].insert(code);
      listed[slug];
    }
  }
  return listed;
}

}  // namespace attache::test
