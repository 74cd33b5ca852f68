// SPDX-License-Identifier: Apache-2.0
// The supervisor's part of a run.
#include <algorithm>
#include <system_error>
#include <utility>

#include "run/run.hpp"

namespace attache::run {

void Run::supervise() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    note_limits(Clock::now());
    if (cause_ != Cause::none) {
      stop_everything(lock);
      if (!ended_ && may_abandon() && Clock::now() >= grace_end_) {
        abandon(lock);
        continue;
      }
    }
    if (ended_) {
      break;
    }
    const std::optional<Clock::time_point> look = next_look();
    if (look.has_value()) {
      changed_.wait_until(lock, *look);
    } else {
      changed_.wait(lock);
    }
  }
  const bool behind = left_behind_;
  const bool cancelling = cancel_active_;
  lock.unlock();
  host_stop_.reset();
  if (canceller_.joinable()) {
    cancelling ? canceller_.detach() : canceller_.join();
  }
  behind ? worker_.detach() : worker_.join();
  terms_.gate->leave(*this);
}

void Run::note_limits(Clock::time_point now) {
  if (cause_ != Cause::none) {
    return;
  }
  const std::optional<Clock::time_point> idle = idle_end();
  if (deadline_.has_value() && now >= *deadline_) {
    cause_ = Cause::deadline;
  } else if (idle.has_value() && now >= *idle) {
    cause_ = Cause::idle;
  }
  cancelled_ = cause_ != Cause::none;
}

/// When a driver that tells nothing has been silent for too long. The driver itself sees every byte and core only
/// its calls, so core gives it the grace on top.
std::optional<Run::Clock::time_point> Run::idle_end() const {
  if (settings_.idle.count() == 0 || phase_ != Phase::driving) {
    return std::nullopt;
  }
  return recorder_->idle_since().value_or(Clock::now()) + settings_.idle + terms_.grace;
}

std::optional<Run::Clock::time_point> Run::next_look() const {
  if (cause_ != Cause::none) {
    return may_abandon() ? std::optional(grace_end_) : std::nullopt;
  }
  const std::optional<Clock::time_point> idle = idle_end();
  if (deadline_.has_value() && idle.has_value()) {
    return std::min(*deadline_, *idle);
  }
  return deadline_.has_value() ? deadline_ : idle;
}

bool Run::may_abandon() const {
  return phase_ != Phase::cleaning && !left_behind_;
}

void Run::stop_everything(std::unique_lock<std::mutex>& lock) {
  if (!stopped_) {
    stopped_ = true;
    grace_end_ = Clock::now() + terms_.grace;
    lock.unlock();
    stop_.request_stop();
    events_.interrupt();
    terms_.gate->wake();
    lock.lock();
  }
  if (handle_ != nullptr && !cancel_sent_) {
    cancel_sent_ = true;
    cancel_driver();
  }
}

void Run::cancel_driver() {
  cancel_active_ = true;
  try {
    canceller_ = std::thread([self = shared_from_this(), instance = terms_.instance, handle = handle_->value()] {
      instance->cancel(handle);
      std::lock_guard lock(self->mutex_);
      self->cancel_active_ = false;
      self->changed_.notify_all();
    });
  } catch (const std::system_error&) {
    cancel_active_ = false;  // the driver still sees cancelled(); else the grace ends the run
  }
}

void Run::abandon(std::unique_lock<std::mutex>& lock) {
  if (phase_ == Phase::preparing) {
    left_behind_ = true;
    const Cause why = cause_;
    lock.unlock();
    fail_early(std::make_exception_ptr(early_error(ended_for(why))));
  } else {
    lock.unlock();
    leave_behind(
        {errc::driver_contract,
         "driver_stuck",
         "the driver did not end the run within the grace after it was told to; its instance is not used again",
         std::nullopt,
         0,
         {}});
  }
  lock.lock();
}

}  // namespace attache::run
