// SPDX-License-Identifier: Apache-2.0
// JSON lines of any length in bounded memory: long strings leave the frame on the way in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attache::sdk {

/// What was learned about one string that was taken out of a frame. A lone surrogate counts as U+FFFD.
/// \since 0.1
struct LongString {
  std::uint64_t length = 0;               ///< bytes of the decoded JSON string (UTF-8)
  std::array<std::uint8_t, 32> sha256{};  ///< of those bytes, when has_sha256
  bool has_sha256 = true;                 ///< false only where Limits::hash_base64_text is, see there
  bool is_base64 = false;                 ///< strict RFC 4648 base64 with padding, without white space; also after a
                                          ///< "data:<type>;base64," prefix, which is then in `media_type`
  std::string media_type;                 ///< of the data URL, else empty
  std::uint64_t decoded_size = 0;         ///< bytes after base64 decoding, when is_base64
  std::array<std::uint8_t, 32> decoded_sha256{};  ///< of the decoded bytes, when is_base64
};

/// One frame: a line of JSON in which each string longer than the limit is replaced by a stand-in, `stand_in`
/// followed by the index into `long_strings`. The stand-in is unguessable and different in each splitter, so that
/// no text of the stream is mistaken for one. Object keys are strings too. A long string that is no valid JSON
/// string (escape, control character, UTF-8) leaves a stand-in that the parser refuses.
/// \since 0.1
struct Frame {
  std::string json;                      ///< the shrunken line, without its line end
  std::vector<LongString> long_strings;  ///< in the order of the line
  std::uint64_t line_length = 0;         ///< bytes of the line as it came, without its line feed
  std::string stand_in;                  ///< what every stand-in of the frame begins with
  /// The long string a JSON string value stands for, or nullptr. Points into this frame.
  const LongString* find(std::string_view value) const noexcept;
};

/// Splits a byte stream into frames. Blank lines are skipped, CRLF is taken as a line end.
///
/// Memory is bounded by the frame limit and six times the string limit, whatever the length of a line. The splitter
/// follows JSON strings and escapes only; a frame that is no valid JSON is handed on as it is, for the parser to
/// refuse. Not thread-safe. \since 0.1
class JsonLines {
 public:
  struct Limits {
    std::size_t string_bytes = 64 * 1024;       ///< longer strings (decoded) are taken out
    std::size_t frame_bytes = 8 * 1024 * 1024;  ///< of the shrunken frame; a longer one is `too_long`
    std::uint64_t line_bytes = 1ull << 30;      ///< of the line as it came; a longer one is `too_long`
    /// False: a string whose beginning is base64 (its first KiB, or the head of a base64 data URL) is not hashed as
    /// text, only decoded. Costs half; also where such a string proves not to be base64 later on.
    bool hash_base64_text = true;
  };
  enum class Status { ok, stopped, too_long };

  explicit JsonLines(const Limits& limits);
  JsonLines() : JsonLines(Limits{}) {}
  JsonLines(JsonLines&&) noexcept;
  JsonLines& operator=(JsonLines&&) noexcept;
  ~JsonLines();

  /// Takes bytes, calls `on_frame` for each line that ended in them; it returns false to stop (or throws), and
  /// then the rest of `bytes` is kept for the next call, which may be feed({}). It may move from the frame.
  /// After `too_long` every call returns `too_long`.
  Status feed(std::string_view bytes, const std::function<bool(Frame&)>& on_frame);
  /// A last line without a line end, if there is one and it is whole as far as strings go. Lines kept after
  /// `stopped` come first, one a call.
  std::optional<Frame> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attache::sdk
