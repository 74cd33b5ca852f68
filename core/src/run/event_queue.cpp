// SPDX-License-Identifier: Apache-2.0
#include "run/event_queue.hpp"

#include <utility>

namespace attache::run {

bool EventQueue::push(decltype(Event::body) body) {
  std::unique_lock lock(mutex_);
  const auto has_place = [this] { return discarding_ || events_.size() < capacity_; };
  changed_.wait(lock, [&] { return has_place() || interrupted_ || closed_; });
  if (closed_ || !has_place()) {
    return false;
  }
  add(std::move(body));
  return true;
}

void EventQueue::add(decltype(Event::body) body) {
  if (!discarding_) {
    events_.push_back({++sequence_, std::move(body)});
    tell();
  }
}

void EventQueue::interrupt() {
  std::lock_guard lock(mutex_);
  interrupted_ = true;
  tell();
}

void EventQueue::discard() {
  std::lock_guard lock(mutex_);
  discarding_ = true;
  events_.clear();
  tell();
}

void EventQueue::close(std::optional<decltype(Event::body)> last) {
  std::lock_guard lock(mutex_);
  if (closed_) {
    return;
  }
  if (last.has_value()) {
    add(std::move(*last));
  }
  closed_ = true;
  tell();
}

std::optional<Event> EventQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !events_.empty() || closed_; });
  return events_.empty() ? std::nullopt : std::optional(take());
}

std::optional<Event> EventQueue::try_next() {
  std::lock_guard lock(mutex_);
  return events_.empty() ? std::nullopt : std::optional(take());
}

bool EventQueue::at_end() {
  std::lock_guard lock(mutex_);
  return closed_ && events_.empty();
}

int EventQueue::poll_descriptor() {
  std::lock_guard lock(mutex_);
  return signal_.descriptor();
}

Event EventQueue::take() {
  Event event = std::move(events_.front());
  events_.pop_front();
  tell();
  return event;
}

void EventQueue::tell() {
  signal_.set(!events_.empty() || closed_);
  changed_.notify_all();
}

}  // namespace attache::run
