// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <attache/sdk/sha256.hpp>

#include "common/files.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t step = std::size_t{256} << 10;

}  // namespace

Place::Place(const std::filesystem::path& below) {
  std::string pattern = (below / "attache-bench-XXXXXX").native();
  if (::mkdtemp(pattern.data()) == nullptr) give_up("mkdtemp");
  path_ = pattern;
}

Place::~Place() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path Place::write(const std::string& name, std::string_view bytes) const {
  std::ofstream out(path_ / name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) give_up("write");
  return path_ / name;
}

std::filesystem::path on_disk() {
  const char* const place = std::getenv("TMPDIR");
  return place != nullptr && *place != '\0' ? place : "/var/tmp";
}

std::string noise(std::size_t size) {
  std::mt19937_64 random(1);
  std::string text(size, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  return text;
}

void read_and_write(const std::string& from, const std::string& to) {
  static std::vector<char> buffer(step);
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC),
            out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (in < 0 || out < 0) give_up("open");
  for (ssize_t count = 0; (count = ::read(in, buffer.data(), buffer.size())) > 0;) {
    if (::write(out, buffer.data(), static_cast<std::size_t>(count)) != count) give_up("write");
  }
  ::close(in);
  ::close(out);
}

void hash_memory(std::string_view bytes) {
  sdk::Sha256 hash;
  for (std::size_t at = 0; at < bytes.size(); at += step) hash.update(bytes.substr(at, step));
  benchmark::DoNotOptimize(hash.finish());
}

void give_up(const std::string& what) {
  std::perror(what.c_str());
  std::_Exit(1);
}

}  // namespace attache::bench
