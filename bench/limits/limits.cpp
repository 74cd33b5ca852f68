// SPDX-License-Identifier: Apache-2.0
// Goal 8, and what bounds everything else: SHA-256 of memory, base64, the frame reader.
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "base64_blocks.hpp"
#include "support/affinity.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t kStep = std::size_t{48} * 1024;
constexpr std::size_t kSize = kStep * 256;

const std::string& bytes() {
  static const std::string made = random_bytes(kSize);
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

std::function<void()> portable(void (*work)()) {
  return [work] {
    sdk::use_base64_blocks(&sdk::base64_portable);
    work();
    sdk::use_base64_blocks(nullptr);
  };
}

/// Processor time: nothing here waits for anything, and other processes do not count.
void add_against(const char* name, const Goal& goal, const std::function<void()>& limit,
                 const std::function<void()>& work) {
  add(name, 21, goal, [=]() -> Work {
    pin_to(processors().front());
    limit();
    return [=] {
      const Took bound = time_of(limit);
      const Took took = time_of(work);
      return Round{bound.cpu / took.cpu, took.wall, {{"GB_per_s", double{kSize} / took.cpu / 1e9}}};
    };
  });
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  add_against("sha256", no_goal("of itself"), hash, hash);
  const char* const to_encoder = "of EVP_EncodeBlock";
  const char* const to_decoder = "of EVP_DecodeBlock";
  // Elsewhere the portable code is the best there is.
  const bool has_best = &attache::sdk::best_base64_blocks() != &attache::sdk::base64_portable;
  const auto best = [&](const char* of) { return has_best ? at_least(8, 3, of) : no_goal(of); };
  add_against("base64_encode/portable", at_least(8, 1.8, to_encoder), encode_by_openssl, portable(encode));
  add_against("base64_encode/best", best(to_encoder), encode_by_openssl, encode);
  add_against("base64_decode/portable", at_least(8, 1, to_decoder), decode_by_openssl, portable(decode));
  add_against("base64_decode/best", best(to_decoder), decode_by_openssl, decode);
  add_against("json_lines/all digests", no_goal("of SHA-256"), hash, [] { read_line(true); });
  add_against("json_lines/decoded digest only", no_goal("of SHA-256"), hash, [] { read_line(false); });
  return run_all(argc, argv);
}
