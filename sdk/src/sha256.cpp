// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <openssl/evp.h>

#include <attache/sdk/sha256.hpp>

namespace attache::sdk {
namespace {

// Fetched once: an implicit fetch costs more than the set-up of a digest. Kept until the process ends.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (fetched == nullptr) throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  return fetched;
}

void check(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL failed to compute a SHA-256");
}

}  // namespace

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();

  Impl() {
    if (context == nullptr) throw std::bad_alloc();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { EVP_MD_CTX_free(context); }

  void start() { check(EVP_DigestInit_ex2(context, algorithm(), nullptr)); }
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  impl_->start();
}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::uint8_t> bytes) {
  check(EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size()));
}

void Sha256::update(std::string_view bytes) {
  check(EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size()));
}

Digest Sha256::finish() {
  Digest digest{};
  unsigned length = 0;
  check(EVP_DigestFinal_ex(impl_->context, digest.data(), &length));
  impl_->start();
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string to_hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace attache::sdk
