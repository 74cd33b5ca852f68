// SPDX-License-Identifier: Apache-2.0
// One run, from its options to its end.
//
// Two threads carry it. The worker prepares the inputs, enters the driver, cleans up and publishes the outcome; it is
// the one that may get stuck in a driver. The supervisor waits for it, tells the driver to stop when the run is
// cancelled or a limit passes, and after the grace publishes the outcome without the worker, which is then left
// behind: it removes the run directory if the driver ever returns.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include <attache/agent.hpp>

#include "inputs/run_inputs.hpp"
#include "run/event_queue.hpp"
#include "run/gate.hpp"
#include "run/instance.hpp"
#include "run/recorder.hpp"
#include "run/request.hpp"
#include "run/run_place.hpp"
#include "run/run_settings.hpp"
#include "run/verdict.hpp"
#include "spi/host_table.hpp"
#include "thread/turn.hpp"

namespace attache::run {

/// What a run takes from its agent.
struct RunTerms {
  std::shared_ptr<Gate> gate;
  std::shared_ptr<Instance> instance;
  InputLimits limits, history_limits;
  std::filesystem::path run_base;
  std::filesystem::path workspace;
  input::Fidelity fidelity = input::Fidelity::any;
  bool forbid_retention = false;
  bool allow_provider_urls = false;
  std::vector<std::string> provider_url_hosts;
  Diagnostics diagnostics;
  std::chrono::milliseconds grace{0};
  std::size_t event_buffer = 0;

  /// `effective` and the instance outlive what is returned.
  inputs::Terms for_inputs(const Effective& effective, std::uint64_t prompt_bytes) const;
};

class Run : public std::enable_shared_from_this<Run> {
 public:
  /// `turn`: null for a run that is no turn of a thread.
  Run(RunTerms terms, std::string prompt, RunSettings settings, std::unique_ptr<threads::Turn> turn);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Enters the gate and starts the worker. False: it failed, the outcome is there, and there is nothing to supervise.
  bool start();
  /// Sees the run to its end. Once, on a thread of its own or the caller's.
  void supervise();
  /// [any thread] The first cause stays.
  void cancel(Cause cause) noexcept;
  /// There is inline data among the inputs: the caller's memory. Only before start().
  bool lends_memory() const;
  /// Waits until sources that the caller lent have been read.
  void wait_prepared();
  /// Waits for the outcome and gives it.
  Result result();
  EventQueue& events() noexcept { return events_; }
  const std::string& id() const noexcept { return id_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase { preparing, driving, releasing, cleaning };

  // The worker.
  void work() noexcept;
  void prepare();
  void check_options() const;
  void materialize();
  std::unique_ptr<Recorder> make_recorder();
  void make_request();
  void note_turn();
  void drive();
  std::optional<Failure> enter_driver(bool first);
  bool may_enter_again(attache_status status, const AttemptRecord& attempt);
  bool begin_entry();                     ///< false: the run is to end
  bool end_entry(attache_status status);  ///< false: the worker is left behind
  void fail_early(std::exception_ptr error);
  void clean_up();
  void linger();

  // The supervisor.
  void note_limits(Clock::time_point now);
  void stop_everything(std::unique_lock<std::mutex>& lock);
  void cancel_driver();
  bool may_abandon() const;
  std::optional<Clock::time_point> next_look() const;
  std::optional<Clock::time_point> idle_end() const;
  void abandon(std::unique_lock<std::mutex>& lock);

  /// The driver keeps the run: ends it for the host, and fences the instance.
  void leave_behind(Failure failure);
  Cause cause();
  /// Whether the driver may still be working on the run.
  enum class Driven { done, not_done };
  void publish(std::optional<Failure> failure, Driven driver);
  std::vector<Notice> conclude_turn(bool healthy, Result& result);
  bool settle(std::optional<Result> result, std::exception_ptr error, std::optional<EventBody> last);
  std::chrono::milliseconds time_left() const;

  RunTerms terms_;
  const std::string id_;
  const std::string prompt_;
  const std::string workspace_;
  RunSettings settings_;
  EventQueue events_;
  const std::optional<Clock::time_point> deadline_;
  std::atomic<bool> cancelled_{false};
  std::stop_source stop_;
  std::optional<std::stop_callback<std::function<void()>>> host_stop_;

  const std::unique_ptr<threads::Turn> turn_;
  std::shared_ptr<const Effective> effective_;
  inputs::RunInputs inputs_, history_parts_;
  RunPlace place_;
  redact::Guard guard_;
  std::vector<bool> wants_exact_;
  bool on_fork_ = false;     ///< the driver is asked to continue on a fork
  bool again_ = false;       ///< the driver is to be entered once more
  bool relaunched_ = false;  ///< after a failed launch; once
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Request> request_;
  std::thread worker_;
  std::thread canceller_;

  std::mutex mutex_;  ///< of what follows; driver functions and the recorder are called without it
  std::condition_variable changed_;
  Phase phase_ = Phase::preparing;
  Cause cause_ = Cause::none;
  Clock::time_point grace_end_;
  bool stopped_ = false;        ///< the supervisor acted on the cause
  bool cancel_sent_ = false;    ///< the driver was told
  bool cancel_active_ = false;  ///< and is still in its cancel function
  bool prepared_ = false;
  bool ended_ = false;
  bool left_behind_ = false;  ///< the worker goes on without the run
  std::shared_ptr<spi::RunHandle> handle_;
  std::optional<Result> result_;
  std::exception_ptr error_;
};

}  // namespace attache::run
