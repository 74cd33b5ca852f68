// SPDX-License-Identifier: Apache-2.0
#include "support/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

namespace attache::bench {
namespace {

constexpr std::size_t kStep = std::size_t{256} * 1024;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class File {
 public:
  File(const std::filesystem::path& path, int flags, mode_t mode = 0) : descriptor_(::open(path.c_str(), flags, mode)) {
    if (descriptor_ < 0) fail("open");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::close(descriptor_); }
  int get() const noexcept { return descriptor_; }
  std::size_t read(char* to, std::size_t most) const {
    const ssize_t count = ::read(descriptor_, to, most);
    if (count < 0) fail("read");
    return static_cast<std::size_t>(count);
  }

 private:
  int descriptor_;
};

}  // namespace

void hash_memory(std::string_view bytes) {
  benchmark::DoNotOptimize(sdk::sha256(bytes));
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void copy_plainly(const std::filesystem::path& from, const std::filesystem::path& to) {
  static std::vector<char> buffer(kStep);
  const File in(from, O_RDONLY | O_CLOEXEC);
  const File out(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
  while (const std::size_t count = in.read(buffer.data(), buffer.size())) {
    write_all(out.get(), {buffer.data(), count});
  }
}

void write_plainly(int descriptor, std::size_t size) {
  static const std::vector<char> buffer(kStep, 'x');
  for (std::size_t left = size; left != 0;) {
    const std::size_t count = std::min(left, buffer.size());
    write_all(descriptor, {buffer.data(), count});
    left -= count;
  }
}

void stream_plainly(const std::filesystem::path& from, int descriptor) {
  constexpr std::size_t step = std::size_t{192} * 1024;
  static std::vector<char> raw(step), text(step / 3 * 4);
  const File in(from, O_RDONLY | O_CLOEXEC);
  while (const std::size_t count = in.read(raw.data(), raw.size())) {
    const std::size_t length =
        sdk::base64_encode({reinterpret_cast<const std::uint8_t*>(raw.data()), count}, text.data());
    write_all(descriptor, {text.data(), length});
  }
}

}  // namespace attache::bench
