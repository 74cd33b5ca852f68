// SPDX-License-Identifier: Apache-2.0
// Goal 8, and what bounds everything else: SHA-256 of memory, base64, the frame reader.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "base64_blocks.hpp"
#include "common/rounds.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t kStep = std::size_t{48} * 1024;
constexpr std::size_t kSize = kStep * 256;

const std::string& bytes() {
  static const std::string made = [] {
    std::mt19937_64 random(1);
    std::string text(kSize, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    return text;
  }();
  return made;
}

const std::string& encoded() {
  static const std::string made = sdk::base64_encode(bytes());
  return made;
}

std::span<const std::uint8_t> step_of(const std::string& text, std::size_t at, std::size_t size) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()) + at, size};
}

void hash() {
  benchmark::DoNotOptimize(sdk::sha256(bytes()));
}

void encode_by_openssl() {
  static std::vector<unsigned char> out(kStep / 3 * 4 + 1);
  for (std::size_t at = 0; at < kSize; at += kStep) {
    benchmark::DoNotOptimize(EVP_EncodeBlock(out.data(), step_of(bytes(), at, kStep).data(), int{kStep}));
  }
}

void encode() {
  static std::vector<char> out(kStep / 3 * 4);
  for (std::size_t at = 0; at < kSize; at += kStep) {
    benchmark::DoNotOptimize(sdk::base64_encode(step_of(bytes(), at, kStep), out.data()));
  }
}

void decode_by_openssl() {
  static std::vector<unsigned char> out(kStep);
  constexpr std::size_t step = kStep / 3 * 4;
  for (std::size_t at = 0; at < encoded().size(); at += step) {
    benchmark::DoNotOptimize(EVP_DecodeBlock(out.data(), step_of(encoded(), at, step).data(), int{step}));
  }
}

void decode() {
  static std::vector<std::uint8_t> out(kStep + 3);
  constexpr std::size_t step = kStep / 3 * 4;
  sdk::Base64Decoder decoder;
  for (std::size_t at = 0; at < encoded().size(); at += step) {
    std::size_t written = 0;
    benchmark::DoNotOptimize(decoder.update(std::string_view(encoded()).substr(at, step), out.data(), written));
  }
}

void read_line(bool hash_base64_text) {
  constexpr std::size_t step = std::size_t{256} * 1024;
  sdk::JsonLines::Limits limits;
  limits.hash_base64_text = hash_base64_text;
  sdk::JsonLines lines(limits);
  const auto take = [](sdk::Frame& frame) {
    benchmark::DoNotOptimize(frame.long_strings.data());
    return true;
  };
  lines.feed("{\"type\":\"user\",\"data\":\"", take);
  for (std::size_t at = 0; at < encoded().size(); at += step) {
    lines.feed(std::string_view(encoded()).substr(at, step), take);
  }
  lines.feed("\"}\n", take);
}

Work portable(void (*work)()) {
  return [work] {
    sdk::use_base64_blocks(&sdk::base64_portable);
    work();
    sdk::use_base64_blocks(nullptr);
  };
}

void add_case(const char* name, const Work& limit, const Work& work, std::optional<Goal> goal = {}) {
  add({name, limit, work, goal, double{kSize}, processor_seconds, 21, {}});
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  stay_on({0});
  const Goal portable_encoder{1.8, 0}, encoder{3, 0}, portable_decoder{1, 0}, decoder{3, 0};
  add_case("   SHA-256 of memory", hash, hash);
  add_case("8. base64, portable (to EVP_EncodeBlock)", encode_by_openssl, portable(encode), portable_encoder);
  add_case("8. base64, AVX2 where there is (to EVP_EncodeBlock)", encode_by_openssl, encode, encoder);
  add_case("8. strict decoder, portable (to EVP_DecodeBlock)", decode_by_openssl, portable(decode), portable_decoder);
  add_case("8. strict decoder, AVX2 where there is (to EVP_DecodeBlock)", decode_by_openssl, decode, decoder);
  add_case("   JSON lines, all digests (to SHA-256)", hash, [] { read_line(true); });
  add_case("   JSON lines, decoded digest only (to SHA-256)", hash, [] { read_line(false); });
  return run_all(argc, argv);
}
