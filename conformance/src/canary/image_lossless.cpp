// SPDX-License-Identifier: Apache-2.0
// Images whose pixels stand in the file (nearly) as they are: PNG, GIF, BMP, TIFF.
#include "canary/writer.hpp"

namespace attache::conformance {
namespace {

constexpr std::uint32_t side = 16;

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521u;
    b = (b + a) % 65521u;
  }
  return (b << 16u) | a;
}

void png_chunk(CanaryWriter& out, std::string_view type, std::string_view data) {
  out.put(big32(static_cast<std::uint32_t>(data.size())));
  out.begin_crc();
  out.put(type);
  out.put(data);
  out.put(big32(out.crc()));
}

std::string tiff_entry(std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t value) {
  return little16(tag) + little16(type) + little32(count) + little32(value);
}

}  // namespace

void make_png(CanaryJob& job) {
  using namespace std::string_literals;
  CanaryWriter& out = job.out;
  std::string rows;
  for (std::uint32_t row = 0; row < side; ++row) {
    rows += '\0' + job.random.bytes(side * 3);
  }
  const auto length = static_cast<std::uint32_t>(rows.size());
  const std::string deflated = "\x78\x01\x01"s + little16(length) + little16(~length) + rows + big32(adler32(rows));
  out.put("\x89PNG\r\n\x1a\n");
  png_chunk(out, "IHDR", big32(side) + big32(side) + "\x08\x02\0\0\0"s);
  png_chunk(out, "atCh", job.mark);
  pad_chunks(job.room(12 + deflated.size() + 12), 12, 1u << 20u, [&](std::uint64_t payload) {
    out.put(big32(static_cast<std::uint32_t>(payload)));
    out.begin_crc();
    out.put("paDd");
    out.fill(payload, job.random);
    out.put(big32(out.crc()));
  });
  png_chunk(out, "IDAT", deflated);
  png_chunk(out, "IEND", "");
}

void make_gif(CanaryJob& job) {
  using namespace std::string_literals;
  CanaryWriter& out = job.out;
  // A clear code every 64 pixels keeps the codes eight bits wide: the LZW stream is then plain bytes.
  std::string codes;
  const std::string pixels = job.random.bytes(side * side);
  for (std::size_t at = 0; at < pixels.size(); ++at) {
    if (at % 64 == 0) {
      codes.push_back('\x80');
    }
    codes.push_back(static_cast<char>(static_cast<unsigned char>(pixels[at]) & 0x7fu));
  }
  codes.push_back('\x81');
  std::string image = ","s + little16(0) + little16(0) + little16(side) + little16(side) + "\0\x07"s;
  for (std::size_t at = 0; at < codes.size(); at += 255) {
    const std::string block = codes.substr(at, 255);
    image += static_cast<char>(block.size()) + block;
  }
  image += "\0;"s;
  out.put("GIF89a" + little16(side) + little16(side) + "\xf6\0\0"s + job.random.bytes(128 * 3));
  out.put("!\xff\x0b"s + "ATTACHEKIT1" + static_cast<char>(job.mark.size()) + job.mark + "\0"s);
  pad_chunks(job.room(image.size()), 4, 255, [&](std::uint64_t payload) {
    out.put("!\xfe"s + static_cast<char>(payload));
    out.fill(payload, job.random);
    out.put("\0"s);
  });
  out.put(image);
}

void make_bmp(CanaryJob& job) {
  const std::string pixels = job.random.bytes(side * side * 3);
  const auto head = static_cast<std::uint32_t>(14 + 40 + job.mark.size());
  const std::uint64_t gap =
      job.target > head + pixels.size() ? job.target - head - pixels.size() : 0;  // between headers and pixels
  const auto offset = static_cast<std::uint32_t>(head + gap);
  job.out.put("BM" + little32(offset + static_cast<std::uint32_t>(pixels.size())) + little32(0) + little32(offset));
  job.out.put(little32(40) + little32(side) + little32(side) + little16(1) + little16(24) + little32(0) +
              little32(static_cast<std::uint32_t>(pixels.size())) + little32(2835) + little32(2835) + little32(0) +
              little32(0));
  job.out.put(job.mark);
  job.out.fill(gap, job.random);
  job.out.put(pixels);
}

void make_tiff(CanaryJob& job) {
  using namespace std::string_literals;
  constexpr std::uint32_t entries = 9;
  constexpr std::uint32_t pixels_at = 8 + 2 + entries * 12 + 4;
  constexpr std::uint32_t private_at = pixels_at + side * side;
  const std::uint64_t used = private_at + job.mark.size();
  const std::uint64_t padding = job.target > used ? job.target - used : 0;
  const auto private_size = static_cast<std::uint32_t>(job.mark.size() + padding);
  job.out.put("II*\0"s + little32(8) + little16(entries));
  job.out.put(tiff_entry(256, 3, 1, side) + tiff_entry(257, 3, 1, side) + tiff_entry(258, 3, 1, 8) +
              tiff_entry(259, 3, 1, 1) + tiff_entry(262, 3, 1, 1) + tiff_entry(273, 4, 1, pixels_at) +
              tiff_entry(278, 3, 1, side) + tiff_entry(279, 4, 1, side * side) +
              tiff_entry(65001, 7, private_size, private_at) + little32(0));
  job.out.put(job.random.bytes(side * side));
  job.out.put(job.mark);
  job.out.fill(padding, job.random);
}

}  // namespace attache::conformance
