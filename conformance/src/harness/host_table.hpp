// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "harness/spi_host.hpp"

namespace attache::conformance {

/// What sits behind the host table: runs and sinks by handle.
class HostState {
 public:
  static HostState& get();
  static const attache_host& table();

  attache_run begin_run();
  /// Waits until no reference is held, at most ten seconds, and takes the record.
  SpiRecord end_run(attache_run run);

  struct Sink {
    std::optional<std::string> document;
    std::optional<SpiError> error;
  };
  attache_sink open_sink();
  Sink close_sink(attache_sink sink);

  attache_status put(attache_sink sink, const attache_span* json);
  attache_status fail(attache_sink sink, const attache_error* error);
  attache_status emit(attache_run run, const attache_event* event);
  attache_status set_delivery(attache_run run, attache_delivery state);
  attache_status set_checkpoint(attache_run run, const attache_span* json);
  attache_status set_error(attache_run run, const attache_error* error);
  attache_status count(attache_run run, std::int64_t step);
  std::uint32_t cancelled(attache_run run);

 private:
  SpiRecord* find(attache_run run);
  std::mutex mutex_;
  std::condition_variable released_;
  std::map<attache_run, SpiRecord> runs_;
  std::map<attache_sink, Sink> sinks_;
  std::uint64_t next_ = 1;
};

}  // namespace attache::conformance
