// SPDX-License-Identifier: Apache-2.0
#include <sys/eventfd.h>
#include <unistd.h>

#include "run/poll_signal.hpp"

namespace attache::run {

PollSignal::~PollSignal() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

int PollSignal::descriptor() noexcept {
  if (descriptor_ < 0) {
    descriptor_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    readable_ = false;
    write_state();
  }
  return descriptor_;
}

void PollSignal::set(bool readable) noexcept {
  wanted_ = readable;
  write_state();
}

void PollSignal::write_state() noexcept {
  if (descriptor_ < 0 || readable_ == wanted_) {
    return;
  }
  readable_ = wanted_;
  eventfd_t ignored = 0;
  // Neither can fail: the counter goes between zero and one.
  readable_ ? ::eventfd_write(descriptor_, 1) : ::eventfd_read(descriptor_, &ignored);
}

}  // namespace attache::run
