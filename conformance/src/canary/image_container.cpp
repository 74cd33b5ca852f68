// SPDX-License-Identifier: Apache-2.0
// Images with coded pixels: JPEG, WebP; and the header of HEIC.
#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

using namespace std::string_literals;

constexpr std::uint32_t side = 32;

/// Most significant bit first, with JPEG's zero byte after 0xff.
class JpegBits {
 public:
  void put(std::uint32_t value, unsigned count) {
    for (unsigned bit = count; bit-- > 0;) {
      current_ = (current_ << 1u) | ((value >> bit) & 1u);
      if (++filled_ == 8) {
        flush();
      }
    }
  }
  std::string finish() {
    while (filled_ != 0) {
      put(1, 1);
    }
    return out_;
  }

 private:
  void flush() {
    out_.push_back(static_cast<char>(current_));
    if (current_ == 0xffu) {
      out_.push_back('\0');
    }
    current_ = 0;
    filled_ = 0;
  }
  std::string out_;
  std::uint32_t current_ = 0;
  unsigned filled_ = 0;
};

/// Least significant bit first.
class WebpBits {
 public:
  void put(std::uint32_t value, unsigned count) {
    for (unsigned bit = 0; bit < count; ++bit) {
      if (filled_ % 8 == 0) {
        out_.push_back('\0');
      }
      const auto byte = static_cast<unsigned char>(out_.back()) | (((value >> bit) & 1u) << (filled_ % 8));
      out_.back() = static_cast<char>(byte);
      ++filled_;
    }
  }
  /// A prefix code of one symbol, or of two that differ.
  void code(std::uint32_t first) {
    put(1, 1);
    put(0, 1);
    put(1, 1);
    put(first, 8);
  }
  void code(std::uint32_t first, std::uint32_t second) {
    put(1, 1);
    put(1, 1);
    put(1, 1);
    put(first, 8);
    put(second, 8);
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
  unsigned filled_ = 0;
};

std::string segment(std::string_view marker, std::string_view data) {
  return std::string(marker) + big16(static_cast<std::uint32_t>(data.size() + 2)) + std::string(data);
}

std::string riff_chunk(std::string_view type, std::string data) {
  const auto length = static_cast<std::uint32_t>(data.size());
  if (data.size() % 2 != 0) {
    data.push_back('\0');
  }
  return std::string(type) + little32(length) + data;
}

/// Lossless pixels; each channel takes one of two random values.
std::string webp_pixels(Random& random) {
  WebpBits bits;
  bits.put(0x2f, 8);
  bits.put(side - 1, 14);
  bits.put(side - 1, 14);
  bits.put(0, 1 + 3 + 1 + 1 + 1);  // no alpha, version, no transform, no colour cache, one set of codes
  for (int channel = 0; channel < 3; ++channel) {
    const auto low = static_cast<std::uint32_t>(random.next() & 0x7fu);
    bits.code(low, 0x80u + static_cast<std::uint32_t>(random.next() & 0x7fu));
  }
  bits.code(255);
  bits.code(0);
  for (std::uint32_t pixel = 0; pixel < side * side; ++pixel) {
    bits.put(static_cast<std::uint32_t>(random.next() & 7u), 3);
  }
  return bits.bytes();
}

}  // namespace

void make_jpeg(CanaryJob& job) {
  CanaryWriter& out = job.out;
  // One grey component; each 8×8 block has a random mean and nothing else. DC codes: 00, 01, 10 for 0, 1 and 2 bits
  // of difference; AC codes: 0 for the end of the block.
  JpegBits bits;
  for (std::uint32_t block = 0; block < side * side / 64; ++block) {
    bits.put(2, 2);
    bits.put(static_cast<std::uint32_t>(job.random.next() & 3u), 2);
    bits.put(0, 1);
  }
  const std::string tail = segment("\xff\xdb", "\0"s + std::string(64, '\x20')) +
                           segment("\xff\xc0", "\x08"s + big16(side) + big16(side) + "\x01\x01\x11\0"s) +
                           segment("\xff\xc4", "\0\0\x03"s + std::string(14, '\0') + "\0\x01\x02"s) +
                           segment("\xff\xc4", "\x10\x01"s + std::string(15, '\0') + "\0"s) +
                           segment("\xff\xda", "\x01\x01\0\0\x3f\0"s) + bits.finish() + "\xff\xd9";
  out.put("\xff\xd8" + segment("\xff\xe0", "JFIF\0\x01\x01\0\0\x01\0\x01\0\0"s));
  out.put(segment("\xff\xef", "attache\0"s + job.mark));
  pad_chunks(job.room(tail.size()), 4, 65533, [&](std::uint64_t payload) {
    out.put("\xff\xfe" + big16(static_cast<std::uint32_t>(payload + 2)));
    out.fill(payload, job.random);
  });
  out.put(tail);
}

void make_webp(CanaryJob& job) {
  std::string body =
      "WEBP" + riff_chunk("VP8X", std::string(4, '\0') + std::string{char(side - 1), 0, 0, char(side - 1), 0, 0}) +
      riff_chunk("VP8L", webp_pixels(job.random)) + riff_chunk("ATCH", job.mark);
  const std::uint64_t used = 8 + body.size();
  // A RIFF file has an even size; an odd wish is met by a byte after its end, which readers skip.
  const std::uint64_t room = job.target > used ? (job.target - used) & ~1ull : 0;
  const std::uint64_t payload = room > 8 ? room - 8 : 0;
  job.out.put("RIFF" + little32(static_cast<std::uint32_t>(body.size() + (payload != 0 ? payload + 8 : 0))) + body);
  if (payload != 0) {
    job.out.put("PADD" + little32(static_cast<std::uint32_t>(payload)));
    job.out.fill(payload, job.random);
    job.out.fill(job.room(0), job.random);
  }
}

void make_heic(CanaryJob& job) {
  job.out.put(big32(24) + "ftypheic"s + big32(0) + "mif1heic");
  const std::uint64_t padding = job.room(8 + job.mark.size());
  job.out.put(big32(static_cast<std::uint32_t>(8 + job.mark.size() + padding)) + "free" + job.mark);
  job.out.fill(padding, job.random);
}

}  // namespace attache::conformance
