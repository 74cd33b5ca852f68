// SPDX-License-Identifier: Apache-2.0
// Core's side of the SPI: the callbacks, and the handles they take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <attache/sdk/spi.h>

namespace attache::spi {

/// The table every driver is given. Lives for the process.
const attache_host& host_table() noexcept;

/// A driver's error, copied and checked (status known, reason a slug, text valid UTF-8 of at most 1 KiB).
struct DriverError {
  attache_status status = ATTACHE_INTERNAL;
  std::uint32_t provider_code = 0;
  std::int64_t input_index = -1;
  std::uint64_t limit = 0;
  std::string reason;            ///< a slug
  std::string text, request_id;  ///< as the driver gave them: neither bounded nor safe to show
};

/// Collects what one call of a driver puts. Its handle is dead once the object is gone. One call at a time.
class Sink {
 public:
  Sink();
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  attache_sink handle() const noexcept { return handle_; }
  std::optional<std::string> document() const;  ///< at most 1 MiB; more is dropped and the call answered CONTRACT
  std::optional<DriverError> error() const;

 private:
  attache_sink handle_;
};

/// Receives the calls of one run. Calls are serialised, but for cancelled(). A call answered ATTACHE_CONTRACT is
/// counted as a violation of the run. None of them may throw or enter the driver.
class RunCallbacks {
 public:
  virtual ~RunCallbacks() = default;
  /// The struct is complete and its spans are well formed; their memory is the driver's until this returns.
  virtual attache_status on_event(const attache_event& event) = 0;
  virtual attache_status on_delivery(attache_delivery state) = 0;
  virtual attache_status on_checkpoint(std::string json) = 0;
  virtual attache_status on_error(DriverError error) = 0;
  /// The numbers are in range, and there are not too many.
  virtual attache_status on_process_group(std::int64_t pgid, std::uint64_t start_time) = 0;
  /// Sets `path` to memory that lasts as long as the run, when it returns OK.
  virtual attache_status on_private_directory(attache_span& path) = 0;
  virtual bool cancelled() const noexcept = 0;
};

/// One run's place in the process-wide table of runs: slot + generation, so that a late call is recognised,
/// dropped and counted.
class RunHandle {
 public:
  explicit RunHandle(RunCallbacks& callbacks);
  ~RunHandle();  ///< waits for a callback in progress; later ones are late
  RunHandle(const RunHandle&) = delete;
  RunHandle& operator=(const RunHandle&) = delete;
  attache_run value() const noexcept { return value_; }
  /// Waits until the retain count is zero and then ends the run: every later call is late. At most for the time
  /// given, negative: without limit; false: a reference is still held.
  bool wait_released(std::int64_t timeout_ms);
  /// Ends the run for the driver although references may be held: every later call is late, and only the count
  /// is kept, for wait_released(). Callbacks in progress go on.
  void abandon() noexcept;
  /// Late or misplaced calls seen so far for this run.
  std::uint64_t violations() const noexcept;

 private:
  attache_run value_;
};

/// Calls with handles that were never or are no longer valid, since the process began.
std::uint64_t late_calls() noexcept;

}  // namespace attache::spi
