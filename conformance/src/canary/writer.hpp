// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"

namespace attache::conformance {

/// A file that is hashed and counted while it is written. Throws std::system_error.
class CanaryWriter {
 public:
  explicit CanaryWriter(const std::filesystem::path& path);
  void put(std::string_view bytes);
  /// `count` random bytes.
  void fill(std::uint64_t count, Random& random);
  /// `count` random lower-case hex characters; with `lines`, every 64th is a line feed.
  void fill_hex(std::uint64_t count, Random& random, bool lines);
  std::uint64_t size() const noexcept { return size_; }
  /// The CRC-32 of PNG over everything put since begin_crc().
  void begin_crc() noexcept { crc_ = 0xffffffffu; }
  std::uint32_t crc() const noexcept { return ~crc_; }
  /// Flushes, closes and returns the digest.
  sdk::Digest close();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  sdk::Sha256 hash_;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
};

/// What a maker gets.
struct CanaryJob {
  CanaryWriter& out;
  Random& random;
  const std::string& mark;
  std::uint64_t target;  ///< wished size of the file
  /// Bytes left for padding when `later` more bytes follow.
  std::uint64_t room(std::uint64_t later) const {
    const std::uint64_t used = out.size() + later;
    return target > used ? target - used : 0;
  }
};

/// Divides `room` into chunks of `overhead` bytes plus a payload of 1 to `most`, so that nothing is left over; calls
/// `chunk` with each payload's size. A room too small for one chunk gives none.
void pad_chunks(std::uint64_t room, std::uint64_t overhead, std::uint64_t most,
                const std::function<void(std::uint64_t)>& chunk);

std::string little16(std::uint32_t value);
std::string little32(std::uint32_t value);
std::string big16(std::uint32_t value);
std::string big32(std::uint32_t value);

void make_png(CanaryJob& job);
void make_jpeg(CanaryJob& job);
void make_gif(CanaryJob& job);
void make_webp(CanaryJob& job);
void make_bmp(CanaryJob& job);
void make_tiff(CanaryJob& job);
void make_heic(CanaryJob& job);
void make_pdf(CanaryJob& job);
void make_plain(CanaryJob& job);
void make_csv(CanaryJob& job);
void make_markdown(CanaryJob& job);
void make_html(CanaryJob& job);
void make_json(CanaryJob& job);
void make_wav(CanaryJob& job);
void make_mp3(CanaryJob& job);
void make_ogg(CanaryJob& job);
void make_flac(CanaryJob& job);
void make_m4a(CanaryJob& job);
void make_mp4(CanaryJob& job);
void make_mov(CanaryJob& job);
void make_webm(CanaryJob& job);

}  // namespace attache::conformance
