// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

using namespace std::string_literals;

std::uint32_t bitwise_crc(std::string_view bytes, unsigned width, std::uint32_t polynomial) {
  std::uint32_t crc = 0;
  const std::uint32_t top = 1u << (width - 1);
  for (const char c : bytes) {
    crc ^= static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << (width - 8);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & top) != 0 ? (crc << 1u) ^ polynomial : crc << 1u;
    }
  }
  return width == 32 ? crc : crc & ((1u << width) - 1);
}

/// Bytes a packet takes in an Ogg page, its lacing included.
std::uint64_t laced(std::uint64_t packet) {
  return packet + packet / 255 + 1;
}

class OggStream {
 public:
  OggStream(CanaryWriter& out, std::uint32_t serial) : out_(out), serial_(serial) {}

  void page(const std::vector<std::string>& packets, unsigned flags, bool audio) {
    granule_ += audio ? packets.size() * 960 : 0;
    std::string lacing;
    std::string body;
    for (const std::string& packet : packets) {
      lacing += std::string(packet.size() / 255, '\xff') + static_cast<char>(packet.size() % 255);
      body += packet;
    }
    const std::string head = "OggS\0"s + static_cast<char>(flags) + little32(static_cast<std::uint32_t>(granule_)) +
                             little32(static_cast<std::uint32_t>(granule_ >> 32u)) + little32(serial_) +
                             little32(sequence_++);
    const std::string rest = static_cast<char>(lacing.size()) + lacing + body;
    const std::uint32_t crc = bitwise_crc(head + little32(0) + rest, 32, 0x04c11db7u);
    out_.put(head + little32(crc) + rest);
  }

 private:
  CanaryWriter& out_;
  std::uint32_t serial_;
  std::uint32_t sequence_ = 0;
  std::uint64_t granule_ = 0;
};

/// A 20 ms packet of noise; `size` counts its table-of-contents byte.
std::string opus_packet(std::uint64_t size, Random& random) {
  return '\xf8' + random.bytes(static_cast<std::size_t>(size - 1));
}

std::string flac_block(unsigned type, std::string_view data) {
  return static_cast<char>(type) + big32(static_cast<std::uint32_t>(data.size())).substr(1) + std::string(data);
}

std::string syncsafe(std::uint64_t value) {
  std::string out;
  for (unsigned shift = 28; shift > 0;) {
    shift -= 7;
    out.push_back(static_cast<char>((value >> shift) & 0x7fu));
  }
  return out;
}

}  // namespace

void make_wav(CanaryJob& job) {
  const std::string head = "WAVEfmt " + little32(16) + little16(1) + little16(1) + little32(8000) + little32(8000) +
                           little16(1) + little16(8) + "atch" + little32(static_cast<std::uint32_t>(job.mark.size())) +
                           job.mark + "data";
  const std::uint64_t used = 8 + head.size() + 4;
  const std::uint64_t samples = job.target > used + 160 ? (job.target - used) & ~1ull : 160;
  job.out.put("RIFF" + little32(static_cast<std::uint32_t>(head.size() + 4 + samples)) + head +
              little32(static_cast<std::uint32_t>(samples)));
  job.out.fill(samples, job.random);
  job.out.fill(job.room(0), job.random);  // an odd wish: a byte after the end of the RIFF file, which readers skip
}

void make_mp3(CanaryJob& job) {
  // Silence at 128 kbit/s, 44.1 kHz, behind an ID3 tag that takes the mark and the padding.
  const std::string frame = "\xff\xfb\x90\xc0"s + std::string(413, '\0');
  const std::string owner = "attache\0"s;
  const std::uint64_t frames = 8 * frame.size();
  const std::uint64_t padding = job.room(10 + 10 + owner.size() + job.mark.size() + frames);
  const std::uint64_t content = owner.size() + job.mark.size() + padding;
  job.out.put("ID3\x03\0\0"s + syncsafe(10 + content) + "PRIV" + big32(static_cast<std::uint32_t>(content)) + "\0\0"s +
              owner + job.mark);
  job.out.fill(padding, job.random);
  for (int count = 0; count < 8; ++count) {
    job.out.put(frame);
  }
}

void make_ogg(CanaryJob& job) {
  OggStream stream(job.out, static_cast<std::uint32_t>(job.random.next()));
  stream.page({"OpusHead\x01\x01"s + little16(312) + little32(48000) + "\0\0\0"s}, 2, false);
  stream.page({"OpusTags"s + little32(7) + "attache" + little32(0) + '\x01' + job.mark}, 0, false);
  constexpr std::uint64_t usual = 1000;
  for (;;) {
    const std::uint64_t room = job.room(0);
    std::vector<std::string> packets;
    const bool last = room < 27 + 56 * laced(usual) + 700;
    const std::uint64_t count = last ? (room > 727 ? (room - 727) / laced(usual) : 0) : 55;
    for (std::uint64_t packet = 0; packet < count; ++packet) {
      packets.push_back(opus_packet(usual, job.random));
    }
    if (!last) {
      stream.page(packets, 0, true);
      continue;
    }
    // Lacing makes some sizes impossible for one packet; two can make any.
    const std::uint64_t left = room > 27 + count * laced(usual) ? room - 27 - count * laced(usual) : 0;
    std::uint64_t first = 20;
    std::uint64_t second = 20;
    for (std::uint64_t a = 2; a <= 1275 && laced(a) + 3 <= left; ++a) {
      const std::uint64_t rest = left - laced(a);
      const std::uint64_t b = rest - rest / 256 - 1;
      if (b >= 2 && b <= 1275 && laced(b) == rest) {
        first = a;
        second = b;
        break;
      }
    }
    packets.push_back(opus_packet(first, job.random));
    packets.push_back(opus_packet(second, job.random));
    stream.page(packets, 4, true);
    return;
  }
}

void make_flac(CanaryJob& job) {
  const std::string info =
      big16(4096) + big16(4096) + std::string(6, '\0') + "\x0a\xc4\x40\xf0"s + big32(4096) + std::string(16, '\0');
  const std::string head = "\xff\xf8\xc9\x08\0"s;
  std::string frame = head + static_cast<char>(bitwise_crc(head, 8, 0x07)) + '\0' + job.random.bytes(2);
  frame += big16(bitwise_crc(frame, 16, 0x8005));
  job.out.put("fLaC" + flac_block(0, info));
  pad_chunks(job.room(8 + job.mark.size() + frame.size()), 8, 1u << 20u, [&](std::uint64_t payload) {
    job.out.put('\x02' + big32(static_cast<std::uint32_t>(4 + payload)).substr(1) + "atch");
    job.out.fill(payload, job.random);
  });
  job.out.put(flac_block(0x82, "atch" + job.mark));
  job.out.put(frame);
}

}  // namespace attache::conformance
