// SPDX-License-Identifier: Apache-2.0
// Sampled windows of the inputs of a run, in the spellings in which a provider may echo them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attache::redact {

/// An input as the redactor needs it.
struct GuardedInput {
  std::string id;
  std::string local_path;                 ///< empty: it was not copied
  std::vector<std::string> source_paths;  ///< the host's own, where the source is a path, or its URL
};

/// How a window is spelled, which says how far the removal of a hit reaches.
enum class Form : std::uint8_t { base64, hex, text, binary };
/// True when `c` belongs to the same run as a hit of this form.
bool continues(Form form, char c) noexcept;

/// Fixed-size windows of inputs, findable by a rolling hash.
class InputWindows {
 public:
  static constexpr std::size_t length = 32;
  /// Windows of one hash; further ones are passed over. An input that was made to have many cannot slow the search.
  static constexpr std::size_t most_alike = 8;

  /// Reads samples of the file: all of it up to 64 KiB; beyond, at least 64 windows and one for each 16 KiB, at most
  /// 4096. Windows of few distinct bytes are passed over. A file that cannot be read gives no windows.
  void add(const GuardedInput& input);

  struct Hit {
    Form form;
    std::uint32_t input;
  };
  bool empty() const noexcept { return table_.empty(); }
  /// The window that `bytes` (of `length`) is; null: none.
  const Hit* find(std::uint64_t hash, const char* bytes) const;
  const std::string& id(std::uint32_t input) const { return ids_[input]; }

  static std::uint64_t hash(const char* bytes) noexcept;
  static std::uint64_t roll(std::uint64_t hash, char out, char in) noexcept;

 private:
  struct Window {
    std::array<char, length> bytes;
    Hit hit;
  };
  void add_window(std::string_view bytes, Form form);
  void add_spellings(std::string_view raw);
  static std::size_t filter_slot(std::uint64_t hash) noexcept { return (hash * 0x9E3779B97F4A7C15ULL) >> 48; }
  std::unordered_multimap<std::uint64_t, Window> table_;
  std::vector<bool> filter_ = std::vector<bool>(1U << 16);  ///< most bytes of a channel get no further than this
  std::vector<std::string> ids_;
};

}  // namespace attache::redact
