// SPDX-License-Identifier: Apache-2.0
#include "frame_source.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include <attache/sdk/base64.hpp>

namespace attache::sdk {
namespace {

// A multiple of 3, and small enough that block and output stay in the cache.
constexpr std::size_t kBlock = std::size_t{192} * 1024;
constexpr std::size_t kBlocks = 4;
// Below, starting a thread takes longer than it saves.
constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 20;

bool hashes_aside(std::uint64_t size) noexcept {
  return size >= kWorthAThread && std::thread::hardware_concurrency() > 1;
}

/// What JSON wants in place of a byte; empty: the byte itself.
struct Escapes {
  std::array<std::array<char, 6>, 256> text{};
  std::array<std::uint8_t, 256> length{};
};

constexpr Escapes kEscapes = [] {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view shorts = "\b\f\n\r\t\"\\";
  constexpr std::string_view letters = "bfnrt\"\\";
  Escapes escapes{};
  for (std::size_t i = 0; i < 32; ++i) {
    escapes.text[i] = {'\\', 'u', '0', '0', digits[i >> 4], digits[i & 15]};
    escapes.length[i] = 6;
  }
  for (std::size_t i = 0; i < shorts.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shorts[i]);
    escapes.text[byte] = {'\\', letters[i]};
    escapes.length[byte] = 2;
  }
  return escapes;
}();

}  // namespace

SlotStream::SlotStream(const FrameSlot& slot, std::size_t index) : slot_(slot), index_(index) {
  std::uint64_t size = 0;
  if (!file_.open(slot.path, size)) fail("open_failed");
  if (size != slot.size) fail("size_changed");
  if (!has_its_identity()) hash_.emplace(hashes_aside(slot.size));
  blocks_ = std::make_unique_for_overwrite<std::uint8_t[]>(kBlock * kBlocks);
  if (size == 0) refill();
}

void SlotStream::fail(const char* reason) const {
  throw FrameError(reason, index_);
}

bool SlotStream::has_its_identity() const noexcept {
  return slot_.identity && file_.identity() == slot_.identity;
}

void SlotStream::refill() {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, slot_.size - read_));
  std::size_t count = 0;
  if (hash_) hash_->wait(kBlocks - 1);
  std::uint8_t* const block = blocks_.get() + kBlock * std::exchange(next_block_, (next_block_ + 1) % kBlocks);
  if (!file_.read({block, wanted}, count)) fail("read_failed");
  if (count != wanted) fail("size_changed");
  begin_ = 0;
  end_ = count;
  read_ += count;
  block_ = block;
  const std::span<const std::uint8_t> bytes{block, count};
  if (hash_) hash_->add(bytes);
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), count};
  if (slot_.encoding == Encoding::text && !utf8_.update(text)) fail("not_utf8");
  if (read_ == slot_.size) check_the_end();
}

void SlotStream::check_the_end() {
  std::uint8_t beyond = 0;
  std::size_t count = 0;
  if (!file_.read({&beyond, 1}, count)) fail("read_failed");
  if (count != 0) fail("size_changed");
  if (hash_ ? hash_->finish() != slot_.sha256 : !has_its_identity()) fail(hash_ ? "digest_changed" : "file_changed");
  if (!utf8_.complete()) fail("not_utf8");
  file_.close();
}

std::size_t SlotStream::produce(std::span<char> out) {
  if (before_ < slot_.before.size()) {
    const std::size_t count = slot_.before.copy(out.data(), out.size(), before_);
    before_ += count;
    return count;
  }
  if (begin_ == end_) {
    if (read_ == slot_.size) return 0;
    refill();
  }
  return slot_.encoding == Encoding::base64 ? encode_base64(out) : encode_text(out);
}

std::size_t SlotStream::encode_base64(std::span<char> out) {
  const std::size_t count = std::min(end_ - begin_, out.size() / 4 * 3);
  const std::size_t written = base64_encode({block_ + begin_, count}, out.data());
  begin_ += count;
  return written;
}

std::size_t SlotStream::encode_text(std::span<char> out) {
  char* to = out.data();
  const char* const limit = to + out.size() - 6;
  while (begin_ != end_ && to <= limit) {
    const std::uint8_t byte = block_[begin_++];
    const std::size_t length = kEscapes.length[byte];
    if (length == 0) {
      *to++ = static_cast<char>(byte);
    } else {
      std::memcpy(to, kEscapes.text[byte].data(), 6);
      to += length;
    }
  }
  return static_cast<std::size_t>(to - out.data());
}

std::size_t FrameSource::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const std::span<char> rest = buffer.subspan(filled);
    if (carry_begin_ == carry_end_ && rest.size() >= carry_.size()) {
      const std::size_t count = next(rest);
      if (count == 0) break;
      filled += count;
      continue;
    }
    if (carry_begin_ == carry_end_) {
      carry_begin_ = 0;
      carry_end_ = next(carry_);
      if (carry_end_ == 0) break;
    }
    const std::size_t count = std::min(carry_end_ - carry_begin_, rest.size());
    std::memcpy(rest.data(), carry_.data() + carry_begin_, count);
    carry_begin_ += count;
    filled += count;
  }
  return filled;
}

std::size_t FrameSource::next(std::span<char> out) {
  while (part_ < plan_->parts.size()) {
    const FramePlan::Part& part = plan_->parts[part_];
    if (literal_ < part.length) {
      const std::size_t count = std::min(part.length - literal_, out.size());
      std::memcpy(out.data(), plan_->document.data() + part.begin + literal_, count);
      literal_ += count;
      return count;
    }
    if (part.slot != FramePlan::kNoSlot) {
      if (!slot_) slot_ = std::make_unique<SlotStream>(plan_->slots[part.slot], part.slot);
      const std::size_t count = slot_->produce(out);
      if (count != 0) return count;
      slot_.reset();
    }
    literal_ = 0;
    ++part_;
  }
  return 0;
}

}  // namespace attache::sdk
