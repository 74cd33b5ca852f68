// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/descriptor.hpp>

namespace attache::json {

enum class Presence { required, optional };

/// Takes an object of a document apart, and collects what is wrong with it: wrong types, missing and unknown keys.
/// A getter whose value is missing or wrong returns an empty value after noting the fault.
class ObjectReader {
 public:
  ObjectReader(const nlohmann::ordered_json& value, std::string pointer, std::vector<DescriptorFault>& faults,
               std::initializer_list<std::string_view> known_keys);

  const nlohmann::ordered_json* get(std::string_view key, Presence presence);
  /// Text of 1 to max_bytes bytes without control characters.
  std::string text(std::string_view key, Presence presence, std::size_t max_bytes);
  /// One of the words; else empty.
  std::string word(std::string_view key, Presence presence, std::initializer_list<std::string_view> words);
  std::optional<std::uint64_t> number(std::string_view key, Presence presence, std::uint64_t min, std::uint64_t max);
  bool flag(std::string_view key);
  /// Different texts, each of 1 to max_bytes bytes.
  std::vector<std::string> texts(std::string_view key, std::size_t max_items, std::size_t max_bytes);

  std::string at(std::string_view key) const;
  void fault(std::string_view key, std::string text);

 private:
  const nlohmann::ordered_json& value_;
  std::string pointer_;
  std::vector<DescriptorFault>& faults_;
};

/// 1 to max_bytes bytes and no control characters.
bool is_plain_text(std::string_view text, std::size_t max_bytes) noexcept;

inline constexpr std::uint64_t max_safe_number = 9'007'199'254'740'991;  // 2^53 - 1: what every JSON reader keeps

}  // namespace attache::json
