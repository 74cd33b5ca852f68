// SPDX-License-Identifier: Apache-2.0
#include "media.hpp"

#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include <openssl/evp.h>

namespace attache::testing {

Digest digest_of(const std::string& bytes) {
  Digest out{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, EVP_sha256(), nullptr);
  return out;
}

std::string decode_base64(const std::string& text) {
  if (text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") != text.npos) {
    throw std::runtime_error("a foreign character in base64");
  }
  std::string out(text.size() / 4 * 3 + 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()), reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size()));
  if (length < 0 || text.size() % 4 != 0) throw std::runtime_error("no base64");
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  out.resize(static_cast<std::size_t>(length) - padding);
  return out;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(std::size_t size, unsigned seed) {
  std::minstd_rand random(seed + 1);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random() >> 8);
  return out;
}

std::string png_that_claims(std::uint32_t width, std::uint32_t height) {
  std::string out("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const std::uint32_t side : {width, height}) {
    for (const unsigned shift : {24u, 16u, 8u, 0u}) out += static_cast<char>((side >> shift) & 0xFFu);
  }
  return out + std::string("\x08\x06\0\0\0\0\0\0\0", 9) + std::string(2000, '\0');
}

}  // namespace attache::testing
