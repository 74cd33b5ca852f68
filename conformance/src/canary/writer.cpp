// SPDX-License-Identifier: Apache-2.0
#include "canary/writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace attache::conformance {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1u) : c >> 1u;
    }
    table[n] = c;
  }
  return table;
}

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category(), "a canary could not be written");
}

std::string integer(std::uint32_t value, std::initializer_list<unsigned> shifts) {
  std::string out;
  for (const unsigned shift : shifts) {
    out.push_back(static_cast<char>((value >> shift) & 0xffu));
  }
  return out;
}

}  // namespace

CanaryWriter::CanaryWriter(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "wbxe")) {
  if (!file_) {
    fail();
  }
}

void CanaryWriter::put(std::string_view bytes) {
  static constexpr auto table = crc_table();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail();
  }
  hash_.update(bytes);
  size_ += bytes.size();
  for (const char c : bytes) {
    crc_ = table[(crc_ ^ static_cast<unsigned char>(c)) & 0xffu] ^ (crc_ >> 8u);
  }
}

void CanaryWriter::fill(std::uint64_t count, Random& random) {
  while (count > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(count, 64 * 1024));
    put(random.bytes(piece));
    count -= piece;
  }
}

void CanaryWriter::fill_hex(std::uint64_t count, Random& random, bool lines) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::uint64_t column = 0;
  while (count > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(count, 64 * 1024));
    std::string text = random.bytes(piece);
    for (char& c : text) {
      c = digits[static_cast<unsigned char>(c) & 15u];
      if (lines && ++column % 64 == 0) {
        c = '\n';
      }
    }
    put(text);
    count -= piece;
  }
}

sdk::Digest CanaryWriter::close() {
  std::FILE* file = file_.release();
  if (std::fclose(file) != 0) {
    fail();
  }
  return hash_.finish();
}

void pad_chunks(std::uint64_t room, std::uint64_t overhead, std::uint64_t most,
                const std::function<void(std::uint64_t)>& chunk) {
  while (room > overhead) {
    std::uint64_t payload = std::min(most, room - overhead);
    const std::uint64_t rest = room - overhead - payload;
    if (rest > 0 && rest <= overhead) {
      payload -= overhead + 1 - rest;  // leaves just enough for a last chunk of one byte
    }
    chunk(payload);
    room -= overhead + payload;
  }
}

std::string little16(std::uint32_t value) {
  return integer(value, {0, 8});
}
std::string little32(std::uint32_t value) {
  return integer(value, {0, 8, 16, 24});
}
std::string big16(std::uint32_t value) {
  return integer(value, {8, 0});
}
std::string big32(std::uint32_t value) {
  return integer(value, {24, 16, 8, 0});
}

}  // namespace attache::conformance
