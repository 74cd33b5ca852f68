// SPDX-License-Identifier: Apache-2.0
// What bounds everything else: SHA-256 of memory, base64, the frame reader. Each figure is the median of rounds that
// take the two cases in turn, and stands beside its ratio to the limit of the same rounds.
#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <openssl/evp.h>
#include <time.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "base64_blocks.hpp"

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

std::function<void()> portable(void (*work)()) {
  return [work] {
    sdk::use_base64_blocks(&sdk::base64_portable);
    work();
    sdk::use_base64_blocks(nullptr);
  };
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// Processor time of this thread: nothing here waits for anything, and other processes do not count.
double seconds(const std::function<void()>& work) {
  const double begin = now();
  work();
  return now() - begin;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Times `work`, and `limit` in the same rounds; ratio is how many times as fast as the limit it is.
void against(benchmark::State& state, const std::function<void()>& limit, const std::function<void()>& work) {
  limit();
  work();
  std::vector<double> times, ratios;
  for (auto _ : state) {
    const double bound = seconds(limit);
    const double took = seconds(work);
    times.push_back(took);
    ratios.push_back(bound / took);
    state.SetIterationTime(took);
  }
  state.counters["GB_per_s"] = static_cast<double>(kSize) / median(times) / 1e9;
  state.counters["ratio"] = median(ratios);
}

void add(const char* name, const std::function<void()>& limit, const std::function<void()>& work) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { against(state, limit, work); })
      ->UseManualTime()
      ->Iterations(21)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  benchmark::Initialize(&argc, argv);
  add("sha256", hash, hash);
  add("base64_encode/portable (to EVP_EncodeBlock)", encode_by_openssl, portable(encode));
  add("base64_encode/best (to EVP_EncodeBlock)", encode_by_openssl, encode);
  add("base64_decode/portable (to EVP_DecodeBlock)", decode_by_openssl, portable(decode));
  add("base64_decode/best (to EVP_DecodeBlock)", decode_by_openssl, decode);
  add("json_lines/all digests (to SHA-256)", hash, [] { read_line(true); });
  add("json_lines/decoded digest only (to SHA-256)", hash, [] { read_line(false); });
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
