// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include <attache/event.hpp>

#include "run/poll_signal.hpp"

namespace attache::run {

/// Carries the events of one run to its host. Bounded; the last event has its place reserved. Any thread.
class EventQueue {
 public:
  explicit EventQueue(std::size_t capacity) noexcept : capacity_(capacity == 0 ? 1 : capacity) {}

  /// Waits while the queue is full. False: it was not taken, because the queue is closed, or full and interrupted.
  /// Numbers the events that are taken.
  bool push(decltype(Event::body) body);
  /// From now on a full queue refuses an event and no longer waits.
  void interrupt();
  /// From now on events go nowhere, and those not taken are dropped.
  void discard();
  /// Closes the queue, after a last event if there is one, which never waits.
  void close(std::optional<decltype(Event::body)> last);
  /// Waits for an event. Empty: closed, and all events are taken.
  std::optional<Event> next();
  /// The same without waiting; empty also when there is none yet.
  std::optional<Event> try_next();
  /// Closed, and all events are taken.
  bool at_end();
  /// Readable while next() would not wait; -1: it could not be made.
  int poll_descriptor();

 private:
  void add(decltype(Event::body) body);
  Event take();
  void tell();  ///< that something changed
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::uint64_t sequence_ = 0;
  bool interrupted_ = false;
  bool discarding_ = false;
  bool closed_ = false;
  PollSignal signal_;
};

}  // namespace attache::run
