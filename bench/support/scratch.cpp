// SPDX-License-Identifier: Apache-2.0
#include "support/scratch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace attache::bench {
namespace {

// Written while nothing is timed, so that the kernel has no reason to do it later.
void flush(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || ::fsync(file) != 0) throw std::system_error(errno, std::generic_category(), "fsync");
  ::close(file);
}

std::string random_bytes(std::size_t size, std::mt19937_64& random) {
  std::string text(size, '\0');
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(text.data() + at, &word, std::min(sizeof word, size - at));
  }
  return text;
}

}  // namespace

Scratch::Scratch(Where where) {
  const std::filesystem::path parent = where == Where::tmpfs ? "/dev/shm" : std::filesystem::temp_directory_path();
  std::string pattern = (parent / "attache-bench-XXXXXX").native();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
  path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path Scratch::file(const std::string& name, std::size_t size) const {
  const std::filesystem::path path = path_ / name;
  std::mt19937_64 random(size);
  std::ofstream out(path, std::ios::binary);
  for (std::size_t left = size; left != 0;) {
    const std::string block = random_bytes(std::min(left, std::size_t{1} << 20), random);
    out.write(block.data(), static_cast<std::streamsize>(block.size()));
    left -= block.size();
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write a scratch file");
  flush(path);
  return path;
}

std::filesystem::path Scratch::base() const {
  const std::filesystem::path path = path_ / "base";
  std::filesystem::create_directory(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string random_bytes(std::size_t size) {
  std::mt19937_64 random(1);
  return random_bytes(size, random);
}

}  // namespace attache::bench
