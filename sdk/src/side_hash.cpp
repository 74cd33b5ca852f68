// SPDX-License-Identifier: Apache-2.0
#include "side_hash.hpp"

#include <system_error>

namespace attache::sdk {

SideHash::SideHash(bool thread) {
  if (!thread) return;
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // Without it sending takes longer, no more.
  }
}

SideHash::~SideHash() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    if (queue_.size() > 1) queue_.resize(1);
  }
  changed_.notify_all();
  thread_.join();
}

void SideHash::add(std::span<const std::uint8_t> bytes) {
  if (!thread_.joinable()) return hash_.update(bytes);
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(bytes);
  }
  changed_.notify_all();
}

void SideHash::wait(std::size_t pending) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.size() <= pending; });
}

Digest SideHash::finish() {
  wait(0);
  if (error_) std::rethrow_exception(error_);
  return hash_.finish();
}

void SideHash::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::span<const std::uint8_t> bytes = queue_.front();
    lock.unlock();
    std::exception_ptr error;
    try {
      hash_.update(bytes);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) error_ = error;
    queue_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace attache::sdk
