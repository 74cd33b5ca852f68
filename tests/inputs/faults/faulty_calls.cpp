// SPDX-License-Identifier: Apache-2.0
#include "faults/faulty_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <mutex>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace attache::testing {
namespace {

std::atomic<bool> faulty{false};

struct State {
  std::mutex mutex;
  FaultyCalls::Plan plan;
};

State& state() {
  static auto* const one = new State;  // calls are made until the process ends
  return *one;
}

Answer answer(Call call) {
  if (!faulty) return {};
  const std::lock_guard lock(state().mutex);
  return state().plan ? state().plan(call) : Answer{};
}

/// False: the call is to fail, and errno is set.
bool let(Call call) {
  const Answer found = answer(call);
  if (found.error != 0) errno = found.error;
  return found.error == 0;
}

template <class... Arguments>
auto call_system(long number, Arguments... arguments) {
  return ::syscall(number, arguments...);
}

template <class Real>
ssize_t transfer(Call call, std::size_t size, Real real) {
  const Answer found = answer(call);
  if (found.error != 0) {
    errno = found.error;
    return -1;
  }
  return real(std::min(size, found.most));
}

}  // namespace

FaultyCalls::FaultyCalls(Plan plan) {
  const std::lock_guard lock(state().mutex);
  state().plan = std::move(plan);
  faulty = true;
}

FaultyCalls::~FaultyCalls() {
  const std::lock_guard lock(state().mutex);
  faulty = false;
  state().plan = nullptr;
}

namespace {

int open_file(int directory, const char* path, int flags, mode_t mode) {
  if (!let((flags & O_CREAT) != 0 ? Call::create : Call::open)) return -1;
  return static_cast<int>(call_system(SYS_openat, directory, path, flags, mode));
}

}  // namespace
}  // namespace attache::testing

using attache::testing::Answer;
using attache::testing::answer;
using attache::testing::Call;
using attache::testing::call_system;
using attache::testing::let;
using attache::testing::open_file;
using attache::testing::transfer;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_file(directory, path, flags, mode);
}

int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  if (!let(Call::make_directory)) return -1;
  return static_cast<int>(call_system(SYS_mkdirat, directory, path, mode));
}

int fchmod(int file, mode_t mode) noexcept {
  const Answer found = answer(Call::change_mode);
  if (found.error != 0) return errno = found.error, -1;
  if (found.most == 0) return 0;
  return static_cast<int>(call_system(SYS_fchmod, file, mode));
}

ssize_t read(int file, void* out, size_t size) {
  return transfer(Call::read, size, [=](size_t most) { return call_system(SYS_read, file, out, most); });
}

ssize_t pread(int file, void* out, size_t size, off_t offset) {
  return transfer(Call::read_at, size, [=](size_t most) { return call_system(SYS_pread64, file, out, most, offset); });
}

ssize_t write(int file, const void* bytes, size_t size) {
  return transfer(Call::write, size, [=](size_t most) { return call_system(SYS_write, file, bytes, most); });
}

int close(int file) {
  const bool good = let(Call::close);
  const int error = errno;
  const int closed = static_cast<int>(call_system(SYS_close, file));
  if (good) return closed;
  errno = error;
  return -1;
}

}  // extern "C"
