// SPDX-License-Identifier: Apache-2.0
// A host of the SPI for tests of drivers: records all that a driver tells it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <attache/sdk/spi.h>

namespace attache::testing {

struct RecordedEvent {
  std::uint32_t type = 0;
  std::uint32_t code = 0;
  std::string id, name, text, json, media_type;
  std::uint64_t size = 0;
  std::array<std::uint8_t, 32> sha256{};
  bool has_sha256 = false;
};

struct RecordedError {
  attache_status status = ATTACHE_OK;
  std::uint32_t provider_code = 0;
  std::int64_t input_index = -1;
  std::uint64_t limit = 0;
  std::string reason, text, request_id;
};

/// One run, or one call with a sink, as the host saw it. Its id is the handle for the driver.
class Recorder {
 public:
  Recorder();
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  std::uint64_t id() const noexcept { return id_; }
  void cancel();
  /// The host refuses everything from now on, as after the end of the run.
  void close();

  std::vector<RecordedEvent> events() const;
  std::vector<RecordedEvent> events(std::uint32_t type) const;
  std::vector<RecordedError> errors() const;
  std::vector<attache_delivery> deliveries() const;
  std::vector<std::string> documents() const;  ///< of put()
  std::vector<std::string> checkpoints() const;
  std::vector<std::pair<std::int64_t, std::uint64_t>> groups() const;
  /// The run's private directory; empty when the driver asked for none. Goes with this object.
  std::string directory() const;
  int references() const;
  /// Called for each event, outside of any lock.
  std::function<void(const RecordedEvent&)> on_event;

 private:
  friend struct Callbacks;
  mutable std::mutex mutex_;
  std::uint64_t id_;
  bool cancelled_ = false;
  bool closed_ = false;
  int references_ = 0;
  std::vector<RecordedEvent> events_;
  std::vector<RecordedError> errors_;
  std::vector<attache_delivery> deliveries_;
  std::vector<std::string> documents_, checkpoints_;
  std::vector<std::pair<std::int64_t, std::uint64_t>> groups_;
  std::string directory_;
};

/// The table to give to a driver's entry point; lives for the process.
const attache_host& fake_host();

/// The same as a host of SPI 1.0 has it: to look beyond its size ends the process. Lives for the process.
const attache_host& fake_host_1_0();

attache_span span(const std::string& text);

}  // namespace attache::testing
