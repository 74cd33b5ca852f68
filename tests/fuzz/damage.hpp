// SPDX-License-Identifier: Apache-2.0
// Seeded damage: the same bytes on every machine, for every run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attache::test {

class Damage {
 public:
  explicit Damage(std::uint64_t seed) noexcept : state_(seed) {}
  /// Below `limit`, which is not 0.
  std::size_t below(std::size_t limit) noexcept { return static_cast<std::size_t>(next() % limit); }
  /// One to four changes: a bit, a byte, a cut, a piece doubled, moved or put in, a number at its limits.
  std::string apply(std::string_view whole) {
    std::string text(whole);
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }
  /// Bytes without any structure.
  std::string noise(std::size_t size) {
    std::string text;
    while (text.size() < size) text.push_back(static_cast<char>(next()));
    return text;
  }

 private:
  void change(std::string& text) {
    if (text.empty()) {
      text = noise(1 + below(64));
      return;
    }
    const std::size_t at = below(text.size()), length = 1 + below(std::min<std::size_t>(text.size() - at, 64));
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text[at] = static_cast<char>(next());
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
        text.erase(at, length);
        break;
      case 5:
        text.insert(at, noise(length));
        break;
      case 6:
        text.replace(at, length, std::string(length, below(2) == 0 ? '\xff' : '\0'));
        break;
      default:
        std::swap(text[at], text[below(text.size())]);
        break;
    }
  }
  /// SplitMix64.
  std::uint64_t next() noexcept {
    std::uint64_t value = state_ += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
  }
  std::uint64_t state_;
};

}  // namespace attache::test
