// SPDX-License-Identifier: Apache-2.0
#include "canary/plain_png.hpp"

#include <algorithm>
#include <string_view>

namespace attache::conformance {
namespace {

std::string big(std::uint32_t value) {
  std::string out;
  for (const unsigned shift : {24u, 16u, 8u, 0u}) out += static_cast<char>((value >> shift) & 0xFFu);
  return out;
}

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t out = 0xFFFFFFFFu;
  for (const char byte : bytes) {
    out ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) out = (out >> 1u) ^ ((out & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  return ~out;
}

std::uint32_t adler(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521u;
    b = (b + a) % 65521u;
  }
  return (b << 16u) | a;
}

/// A zlib stream of stored blocks.
std::string stored(const std::string& bytes) {
  constexpr std::size_t most = 65535;
  std::string out = "\x78\x01";
  for (std::size_t at = 0; at < bytes.size(); at += most) {
    const auto length = static_cast<std::uint32_t>(std::min(most, bytes.size() - at));
    out += at + length == bytes.size() ? '\1' : '\0';
    for (const std::uint32_t word : {length, ~length}) {
      out += static_cast<char>(word & 0xFFu);
      out += static_cast<char>((word >> 8u) & 0xFFu);
    }
    out.append(bytes, at, length);
  }
  return out + big(adler(bytes));
}

std::string chunk(const std::string& type, const std::string& data) {
  return big(static_cast<std::uint32_t>(data.size())) + type + data + big(crc(type + data));
}

}  // namespace

std::string plain_png(std::uint32_t width, std::uint32_t height) {
  const std::string row = std::string(1, '\0') + std::string((width + 7) / 8, '\xff');
  std::string rows;
  for (std::uint32_t i = 0; i < height; ++i) rows += row;
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big(width) + big(height) + std::string("\1\0\0\0\0", 5)) +
         chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

}  // namespace attache::conformance
