// SPDX-License-Identifier: Apache-2.0
#include "run/gate.hpp"

#include <algorithm>

#include "run/run.hpp"

namespace attache::run {

bool Gate::enter(const std::shared_ptr<Run>& run) {
  std::lock_guard lock(mutex_);
  if (!closed_) {
    runs_.push_back(run);
  }
  return !closed_;
}

void Gate::leave(const Run& run) {
  std::shared_ptr<Run> last;  // ends after the lock
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const auto& entry) { return entry.get() == &run; });
  if (found != runs_.end()) {
    last = std::move(*found);
    runs_.erase(found);
    changed_.notify_all();
  }
}

Gate::Turn Gate::take_turn(const std::function<bool()>& give_up) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return quarantined_ || closed_ || give_up() || free_ > 0; });
  if (quarantined_) {
    return Turn::quarantined;
  }
  if (closed_ || give_up()) {
    return Turn::given_up;
  }
  --free_;
  return Turn::given;
}

void Gate::end_turn() {
  std::lock_guard lock(mutex_);
  ++free_;
  changed_.notify_all();
}

void Gate::wake() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Gate::quarantine() {
  std::lock_guard lock(mutex_);
  quarantined_ = true;
  changed_.notify_all();
}

void Gate::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
  const std::vector<std::shared_ptr<Run>> present = runs_;
  lock.unlock();
  for (const auto& run : present) {
    run->cancel(Cause::agent_closed);
  }
  lock.lock();
  changed_.wait(lock, [this] { return runs_.empty(); });
}

}  // namespace attache::run
