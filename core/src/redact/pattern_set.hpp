// SPDX-License-Identifier: Apache-2.0
// Replacing fixed byte strings in a stream of pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attache::redact {

/// Byte strings and what takes their place. Built once, then read from any thread.
class PatternSet {
 public:
  /// The first replacement given for a pattern stays. An empty pattern is ignored.
  void add(std::string_view pattern, std::string_view replacement);
  bool empty() const noexcept { return nodes_.size() == 1; }

 private:
  friend class StreamRedactor;
  struct Node {
    std::map<char, std::uint32_t> next;
    std::int32_t replacement = -1;
  };
  struct Match {
    std::size_t length = 0;  ///< of the longest pattern at the start; 0: none
    std::int32_t replacement = -1;
    bool open = false;  ///< the text ended while a pattern could still go on
  };
  Match match(std::string_view text) const;
  std::vector<Node> nodes_{1};
  std::vector<std::string> replacements_;
};

/// Replaces the leftmost, then longest patterns of one channel, also where a pattern is split over pieces. Holds
/// back only bytes that may be the beginning of a pattern: fewer than the longest one has.
class StreamRedactor {
 public:
  explicit StreamRedactor(const PatternSet& patterns) noexcept : patterns_(&patterns) {}
  std::string push(std::string_view piece);
  std::string flush();
  /// A whole text of its own.
  static std::string apply(const PatternSet& patterns, std::string_view text);

 private:
  std::string run(bool last);
  const PatternSet* patterns_;
  std::string pending_;
};

}  // namespace attache::redact
