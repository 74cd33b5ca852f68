// SPDX-License-Identifier: Apache-2.0
#include "redact/pattern_set.hpp"

namespace attache::redact {

void PatternSet::add(std::string_view pattern, std::string_view replacement) {
  if (pattern.empty()) {
    return;
  }
  std::uint32_t at = 0;
  for (const char c : pattern) {
    const auto found = nodes_[at].next.find(c);
    if (found != nodes_[at].next.end()) {
      at = found->second;
      continue;
    }
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    nodes_[at].next.emplace(c, fresh);
    nodes_.emplace_back();
    at = fresh;
  }
  if (nodes_[at].replacement < 0) {
    nodes_[at].replacement = static_cast<std::int32_t>(replacements_.size());
    replacements_.emplace_back(replacement);
  }
}

PatternSet::Match PatternSet::match(std::string_view text) const {
  Match result;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto found = nodes_[at].next.find(text[i]);
    if (found == nodes_[at].next.end()) {
      return result;
    }
    at = found->second;
    if (nodes_[at].replacement >= 0) {
      result.length = i + 1;
      result.replacement = nodes_[at].replacement;
    }
  }
  result.open = !nodes_[at].next.empty();
  return result;
}

std::string StreamRedactor::push(std::string_view piece) {
  if (patterns_->empty()) {
    return std::string(piece);
  }
  pending_.append(piece);
  return run(false);
}

std::string StreamRedactor::flush() {
  return run(true);
}

std::string StreamRedactor::apply(const PatternSet& patterns, std::string_view text) {
  StreamRedactor whole(patterns);
  std::string out = whole.push(text);
  out += whole.flush();
  return out;
}

std::string StreamRedactor::run(bool last) {
  std::string out;
  out.reserve(pending_.size());
  const std::string_view text = pending_;
  std::size_t at = 0;
  while (at < text.size()) {
    const PatternSet::Match match = patterns_->match(text.substr(at));
    if (match.open && !last) {
      break;
    }
    if (match.length > 0) {
      out += patterns_->replacements_[static_cast<std::size_t>(match.replacement)];
      at += match.length;
    } else {
      out.push_back(text[at]);
      ++at;
    }
  }
  pending_.erase(0, at);
  return out;
}

}  // namespace attache::redact
