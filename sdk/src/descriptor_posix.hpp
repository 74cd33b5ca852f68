// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attache::sdk {

/// Owns one file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }
  void reset() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

  int release() noexcept { return std::exchange(number_, -1); }

  /// Takes a new descriptor and moves it above the standard three, closed on exec; invalid (errno set) when
  /// that fails or `number` is negative.
  static Descriptor above_standard(int number) noexcept {
    if (number < 0 || number > 2) return Descriptor(number);
    const Descriptor low(number);
    return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 3));
  }

 private:
  int number_ = -1;
};

}  // namespace attache::sdk
