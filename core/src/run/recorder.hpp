// SPDX-License-Identifier: Apache-2.0
// What a driver tells of one run: the state machine of its calls, and what is kept of them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <attache/event.hpp>
#include <attache/result.hpp>

#include "redact/redactor.hpp"
#include "run/event_queue.hpp"
#include "run/run_place.hpp"
#include "spi/host_table.hpp"

namespace attache::run {

using EventBody = decltype(Event::body);

/// What one entry of the driver came to, beside the status it returned.
struct AttemptRecord {
  bool started = false;
  bool completed = false;
  attache_status completed_status = ATTACHE_OK;
  attache_delivery delivery = ATTACHE_NOT_STARTED;  ///< as reported
  std::optional<spi::DriverError> error;            ///< texts redacted
  std::string checkpoint;
  bool too_much = false;  ///< more was said than is kept of a run
};

/// Receives the calls of a driver for one run, checks their order, redacts, hands events on and keeps the result.
class Recorder final : public spi::RunCallbacks {
 public:
  /// What it refers to outlives it.
  Recorder(const std::vector<ResolvedInput>& inputs, redact::Guard guard, RunPlace& place, EventQueue& events,
           const std::atomic<bool>& cancelled);

  /// A notice of core's own. It follows STARTED; after that it may wait for the host to take events.
  void note(Notice notice);
  /// The driver is about to be entered (again).
  void begin_attempt();
  /// run() returned `status`: hands out what was held back and counts what is missing. May wait for the host to
  /// take events.
  void end_attempt(attache_status status);
  /// Makes up for a STARTED that never came.
  void finish();
  AttemptRecord attempt() const;
  /// What was seen so far; without checkpoint.
  Result result() const;
  void add_violations(std::uint64_t count);

  using Clock = std::chrono::steady_clock;
  /// When the driver last called; empty while it is in a call.
  std::optional<Clock::time_point> idle_since() const noexcept;

  attache_status on_event(const attache_event& event) override;
  attache_status on_delivery(attache_delivery state) override;
  attache_status on_checkpoint(std::string json) override;
  attache_status on_error(spi::DriverError error) override;
  attache_status on_process_group(std::int64_t pgid, std::uint64_t start_time) override;
  attache_status on_private_directory(attache_span& path) override;
  bool cancelled() const noexcept override { return cancelled_.load(); }

 private:
  using Bodies = std::vector<EventBody>;
  class Activity;
  bool take(const attache_event& event, Bodies& out);
  bool take_started(const attache_event& event, Bodies& out);
  bool take_receipt(const attache_event& event, Bodies& out);
  bool take_notice(const attache_event& event, Bodies& out);
  void take_piece(redact::Redactor::Channel channel, std::string piece, Bodies& out);
  void take_completed(const attache_event& event, Bodies& out);
  void flush(Bodies& out);
  bool hand_on(Bodies bodies);
  bool known_input(std::string_view id) const noexcept;
  bool keep(std::uint64_t bytes);

  RunPlace& place_;
  EventQueue& events_;
  const std::atomic<bool>& cancelled_;
  std::atomic<Clock::rep> last_call_;
  std::atomic<int> in_call_{0};

  mutable std::mutex mutex_;  ///< of what follows; never held while handing an event on
  redact::Guard guard_;
  std::optional<redact::Redactor> redactor_;
  bool private_known_ = false;
  AttemptRecord attempt_;
  Result result_;
  std::vector<bool> receipt_seen_;
  Bodies after_started_;
  bool started_handed_on_ = false;
  std::uint64_t kept_ = 0;  ///< bytes of answers and notices
  std::string deltas_;      ///< the answer, for a driver that never completes
};

}  // namespace attache::run
