// SPDX-License-Identifier: Apache-2.0
#include "random_token.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include <openssl/rand.h>

namespace attache::sdk {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw std::runtime_error("no random bytes from OpenSSL");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace attache::sdk
