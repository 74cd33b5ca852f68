// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <attache/sdk/json_frame.hpp>

#include "file_reader.hpp"
#include "side_hash.hpp"
#include "utf8.hpp"

namespace attache::sdk {

/// One slot while it is streamed: file, check, encoding. The block that ends the file is checked before any of
/// it is handed out.
class SlotStream {
 public:
  /// The slot must stay alive.
  SlotStream(const FrameSlot& slot, std::size_t index);

  /// Fills at least part of `out` (of 8 or more) with what goes between the quotes; 0 at the end.
  std::size_t produce(std::span<char> out);

 private:
  bool has_its_identity() const noexcept;
  void refill();
  void check_the_end();
  std::size_t encode_base64(std::span<char> out);
  std::size_t encode_text(std::span<char> out);
  [[noreturn]] void fail(const char* reason) const;

  const FrameSlot& slot_;
  std::size_t index_;
  FileReader file_;
  Utf8Validator utf8_;
  std::unique_ptr<std::uint8_t[]> blocks_;  // a ring: while one is encoded, those before it may still be hashed
  const std::uint8_t* block_ = nullptr;     // the one that is encoded
  std::size_t next_block_ = 0;
  std::optional<SideHash> hash_;  // goes before the blocks; none: the file's identity answers for its bytes
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t before_ = 0;  // characters of slot_.before that were handed out
  std::uint64_t read_ = 0;
};

/// A document cut at its slots: literal text, then a slot, and so on; the last literal ends the line.
struct FramePlan {
  struct Part {
    std::size_t begin = 0;  ///< of the literal, in the document
    std::size_t length = 0;
    std::size_t slot = kNoSlot;  ///< what follows the literal
  };
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

  std::string document;
  std::vector<FrameSlot> slots;
  std::vector<Part> parts;
};

/// The bytes of a frame.
class FrameSource final : public ByteSource {
 public:
  explicit FrameSource(std::shared_ptr<const FramePlan> plan) : plan_(std::move(plan)) {}
  std::size_t read(std::span<char> buffer) override;

 private:
  std::size_t next(std::span<char> out);

  std::shared_ptr<const FramePlan> plan_;
  std::size_t part_ = 0;
  std::size_t literal_ = 0;
  std::unique_ptr<SlotStream> slot_;
  std::array<char, 8> carry_{};  // what did not fit into a buffer's last bytes
  std::size_t carry_begin_ = 0;
  std::size_t carry_end_ = 0;
};

}  // namespace attache::sdk
