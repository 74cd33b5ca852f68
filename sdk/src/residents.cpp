// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <attache/sdk/residents.hpp>

namespace attache::sdk {

ResidentPool::~ResidentPool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (timer_.joinable()) timer_.join();
}

ResidentPool::Held ResidentPool::take(std::string_view thread, std::string_view signature) {
  Entries out;  // ends what is not handed on, after the lock
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.thread == thread; });
  if (found == entries_.end()) return {};
  out.splice(out.begin(), entries_, found);
  return out.front().signature == signature ? std::move(out.front().held) : Held();
}

void ResidentPool::keep(std::string thread, std::string signature, Held held) {
  if (held == nullptr || thread.empty() || !on()) return;
  Entries out;
  {
    const std::lock_guard lock(mutex_);
    const auto same =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.thread == thread; });
    if (same != entries_.end()) out.splice(out.end(), entries_, same);
    if (entries_.size() >= options_.most) out.splice(out.end(), entries_, entries_.begin());
    entries_.push_back({std::move(thread), std::move(signature), std::move(held), std::chrono::steady_clock::now()});
    if (!timer_.joinable()) timer_ = std::thread([this] { expire(); });
  }
  changed_.notify_all();
}

void ResidentPool::expire() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (entries_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto until = entries_.front().since + options_.idle;
    if (std::chrono::steady_clock::now() < until) {
      changed_.wait_until(lock, until);
      continue;
    }
    Entries out;
    out.splice(out.begin(), entries_, entries_.begin());
    lock.unlock();
    out.clear();
    lock.lock();
  }
}

}  // namespace attache::sdk
