// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attache::inputs {

/// Content that can be looked at in any place, without holding it.
class ByteView {
 public:
  virtual ~ByteView() = default;
  virtual std::uint64_t size() const noexcept = 0;
  /// Fills `out` from `offset` on; returns how much there was.
  virtual std::size_t read(std::uint64_t offset, std::span<std::byte> out) const = 0;
};

class MemoryView final : public ByteView {
 public:
  explicit MemoryView(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  std::uint64_t size() const noexcept override { return bytes_.size(); }
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset >= bytes_.size()) return 0;
    const auto piece = bytes_.subspan(static_cast<std::size_t>(offset));
    const std::size_t count = std::min(piece.size(), out.size());
    std::copy_n(piece.begin(), count, out.begin());
    return count;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// Up to `length` bytes from `offset` on, as text.
inline std::string text_at(const ByteView& view, std::uint64_t offset, std::size_t length) {
  std::string text(length, '\0');
  text.resize(view.read(offset, std::as_writable_bytes(std::span<char>(text))));
  return text;
}

inline std::uint32_t byte_of(std::string_view text, std::size_t i) noexcept {
  return static_cast<unsigned char>(text[i]);
}
inline std::uint32_t little16(std::string_view text, std::size_t i) noexcept {
  return byte_of(text, i) | (byte_of(text, i + 1) << 8);
}
inline std::uint32_t little32(std::string_view text, std::size_t i) noexcept {
  return little16(text, i) | (little16(text, i + 2) << 16);
}
inline std::uint32_t big16(std::string_view text, std::size_t i) noexcept {
  return (byte_of(text, i) << 8) | byte_of(text, i + 1);
}
inline std::uint32_t big32(std::string_view text, std::size_t i) noexcept {
  return (big16(text, i) << 16) | big16(text, i + 2);
}

}  // namespace attache::inputs
