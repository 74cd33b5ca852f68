// SPDX-License-Identifier: Apache-2.0
// A driver in this process whose functions are given by the test.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <attache/agent.hpp>
#include <attache/sdk/spi.h>

namespace attache::test {

/// What a driver does with its run handle, in short words.
class Calls {
 public:
  explicit Calls(attache_run run) : run_(run) {}
  attache_run handle() const { return run_; }
  attache_status started() const;
  attache_status text(std::string_view piece) const;
  attache_status raw(std::string_view piece, std::uint32_t code = ATTACHE_RAW_STDOUT) const;
  attache_status notice(std::string_view slug, std::string_view text, std::string_view input = {}) const;
  attache_status receipt(std::string_view input, std::uint32_t outcome, const std::uint8_t* sha256 = nullptr) const;
  attache_status completed(std::string_view answer, attache_status status = ATTACHE_OK) const;
  attache_status emit(attache_event event) const;
  attache_status delivery(attache_delivery state) const;
  attache_status checkpoint(std::string_view json) const;
  attache_status error(attache_status status, std::string_view reason, std::string_view text, std::int64_t index = -1,
                       std::uint64_t limit = 0) const;
  attache_status retain() const;
  attache_status release() const;
  bool cancelled() const;
  /// STARTED, the three delivery states, and COMPLETED.
  attache_status answer(std::string_view text) const;

 private:
  attache_run run_;
};

attache_span span(std::string_view text);
std::string_view view(const attache_span& text);
/// An event of this type with its size set.
attache_event event(std::uint32_t type);

/// One at a time: it is the driver of every agent made while it lives. It must outlive them.
class FakeDriver {
 public:
  using Run = std::function<attache_status(const attache_request&, const Calls&)>;
  explicit FakeDriver(Run run);
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  Run run;
  std::function<void(const Calls&)> cancel;
  std::function<attache_status(std::string_view config, attache_sink sink)> create;
  std::function<attache_status(attache_sink sink)> capabilities, inspect, prepare;
  std::function<void()> destroy;
  std::string descriptor_json;
  std::atomic<int> entered{0}, created{0}, destroyed{0}, cancels{0};

  /// A handle to this driver with its present descriptor_json.
  Driver driver() const;
  static const attache_host& host();
  /// What capabilities and inspect answer with.
  static attache_status put(attache_sink sink, std::string_view json);
  static attache_status fail(attache_sink sink, attache_status status, std::string_view reason, std::string_view text);
  /// Replaces a piece of descriptor_json that must be there.
  void describe(std::string_view piece, std::string_view other);

 private:
  mutable attache_driver table_{};
};

/// Takes images, files and audio natively; eight runs at once; files up to 1 MiB.
std::string default_descriptor();

}  // namespace attache::test
