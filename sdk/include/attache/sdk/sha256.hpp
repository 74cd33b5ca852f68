// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace attache::sdk {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 in pieces (OpenSSL). One thread at a time; finish() starts it anew.
/// \since 0.1
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();
  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view bytes);
  Digest finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

Digest sha256(std::string_view bytes);
std::string to_hex(const Digest& digest);

}  // namespace attache::sdk
