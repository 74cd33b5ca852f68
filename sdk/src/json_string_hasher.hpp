// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "utf8.hpp"

namespace attache::sdk {

/// Measures the inside of one JSON string as it comes, in pieces: resolves the escapes, hashes what they stand
/// for, decodes it when it is base64. Memory does not depend on the length.
class JsonStringHasher {
 public:
  explicit JsonStringHasher(bool hash_base64_text) : hash_base64_text_(hash_base64_text) {}
  /// Begins another string.
  void reset();
  /// The next raw bytes between the quotes.
  void push(std::string_view raw);
  /// Bytes of the decoded string so far; a character that is not whole yet does not count.
  std::uint64_t length() const noexcept { return length_ + text_.size(); }
  /// The string has ended.
  LongString finish();
  /// Empty for a valid string; else bytes that make any JSON string invalid in the same way.
  const std::string& fault() const noexcept { return fault_; }

 private:
  enum class Escape { none, backslash, hex };
  enum class Base64 { undecided, decoding, no };

  void plain(std::string_view run);
  void escaped(char letter);
  void hex_digit(char digit);
  void code_unit(std::uint32_t unit);
  void end_surrogate();
  void fail(std::string fault);
  void flush();
  void hash(std::string_view decoded);
  void start(std::string_view decoded);
  void find_start();
  void decode(std::string_view text);

  bool hash_base64_text_;
  bool hash_text_ = true;
  Escape escape_ = Escape::none;
  Base64 base64_ = Base64::undecided;
  unsigned digits_ = 0;
  std::uint32_t unit_ = 0;
  std::uint32_t high_surrogate_ = 0;
  std::uint64_t length_ = 0;  // hashed
  std::uint64_t decoded_size_ = 0;
  std::string text_;  // decoded, not hashed yet
  std::string head_;  // start of a string that may be a data URL
  std::string media_type_;
  std::string fault_;
  Utf8Validator utf8_;
  Base64Decoder decoder_;
  Sha256 sha_;
  Sha256 decoded_sha_;
  std::unique_ptr<std::uint8_t[]> bytes_;
};

}  // namespace attache::sdk
