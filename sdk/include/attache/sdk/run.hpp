// SPDX-License-Identifier: Apache-2.0
// How a driver reports while a turn runs.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/spi.h>

namespace attache::sdk {

using RunId = attache_run;

/// What the provider did with an input; spi.h has the meaning of each.
/// \since 0.1
enum class Receipt : std::uint32_t {
  exact = ATTACHE_RECEIPT_EXACT,
  altered = ATTACHE_RECEIPT_ALTERED,
  dropped = ATTACHE_RECEIPT_DROPPED,
  unknown = ATTACHE_RECEIPT_UNKNOWN,
};
/// \since 0.1
enum class RawStream : std::uint32_t {
  standard_output = ATTACHE_RAW_STDOUT,
  standard_error = ATTACHE_RAW_STDERR,
  wire = ATTACHE_RAW_WIRE,
};
/// What the provider took in place of an input, as far as it is known.
/// \since 0.1
struct Taken {
  std::string_view media_type;
  std::uint64_t size = 0;
  std::optional<std::array<std::uint8_t, 32>> sha256;
};

namespace detail {

template <class>
struct Table;

inline attache_span span(std::string_view text) noexcept {
  return {text.empty() ? nullptr : text.data(), text.size()};
}

}  // namespace detail

/// Keeps a run and its inputs alive while an event source goes on after run() returned. Any thread.
/// \since 0.1
class Retained {
 public:
  Retained(Retained&& other) noexcept : host_(std::exchange(other.host_, nullptr)), run_(other.run_) {}
  Retained& operator=(Retained&& other) noexcept {
    std::swap(host_, other.host_);
    std::swap(run_, other.run_);
    return *this;
  }
  ~Retained() {
    if (host_ != nullptr) host_->release(run_);
  }

 private:
  friend class Run;
  Retained(const attache_host* host, RunId run) noexcept : host_(host), run_(run) {}
  const attache_host* host_;
  RunId run_;
};

/// The host's ear for one run. Any thread between entry and return of Driver::run.
///
/// Every report throws Failure(cancelled) once the run is cancelled, so that a driver stops without asking, and
/// Failure(contract) when the host calls it out of order. STARTED and COMPLETED are sent for the driver: the first
/// before anything else, the last with the status that Driver::run ends in.
/// \since 0.1
class Run {
 public:
  Run(const attache_host* host, RunId id, std::string_view descriptor) noexcept
      : host_(host), id_(id), descriptor_(descriptor) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  RunId id() const noexcept { return id_; }
  /// The driver's descriptor.json, as it is embedded.
  std::string_view descriptor() const noexcept { return descriptor_; }
  bool cancelled() const noexcept { return host_->cancelled(id_) != 0; }
  /// For std::stop_callback: stopped when the host cancels the run, from the cancelling thread.
  std::stop_token stop_token() const noexcept { return stop_.get_token(); }

  /// Model, and the provider with its version, where known. The first call counts; none at all is fine.
  void started(std::string_view model, std::string_view provider = {}) {
    const std::lock_guard lock(mutex_);
    begin(model, provider);
  }
  void text(std::string_view piece) {
    const std::lock_guard lock(mutex_);
    deltas_ += piece;
    attache_event e = event(ATTACHE_EVENT_TEXT_DELTA);
    e.text = detail::span(piece);
    send(e);
  }
  void reasoning(std::string_view piece) {
    attache_event e = event(ATTACHE_EVENT_REASONING_DELTA);
    e.text = detail::span(piece);
    emit(e);
  }
  void tool_call(std::string_view id, std::string_view name, std::string_view arguments_json) {
    attache_event e = event(ATTACHE_EVENT_TOOL_CALL);
    e.id = detail::span(id);
    e.name = detail::span(name);
    e.json = detail::span(arguments_json);
    emit(e);
  }
  void tool_result(std::string_view id, std::string_view result, bool is_error = false) {
    attache_event e = event(ATTACHE_EVENT_TOOL_RESULT);
    e.id = detail::span(id);
    e.text = detail::span(result);
    e.code = is_error ? 1 : 0;
    emit(e);
  }
  /// `slug` is stable, `sentence` safe to show; `input` the id of the input it is about.
  void notice(std::string_view slug, std::string_view sentence, std::string_view input = {}) {
    attache_event e = event(ATTACHE_EVENT_NOTICE);
    e.name = detail::span(slug);
    e.text = detail::span(sentence);
    e.id = detail::span(input);
    emit(e);
  }
  /// Say `exact` only after comparing.
  void receipt(const Input& input, Receipt what, const Taken& taken = {}) {
    attache_event e = event(ATTACHE_EVENT_RECEIPT);
    e.id = detail::span(input.id());
    e.code = static_cast<std::uint32_t>(what);
    e.media_type = detail::span(taken.media_type);
    e.size = taken.size;
    e.has_sha256 = taken.sha256 ? 1 : 0;
    for (std::size_t i = 0; taken.sha256 && i < taken.sha256->size(); ++i) e.sha256[i] = (*taken.sha256)[i];
    emit(e);
  }
  void usage(std::string_view json) { emit_json(ATTACHE_EVENT_USAGE, json); }
  void transcript(std::string_view json) { emit_json(ATTACHE_EVENT_TRANSCRIPT, json); }
  void raw(RawStream stream, std::string_view chunk) {
    attache_event e = event(ATTACHE_EVENT_RAW);
    e.code = static_cast<std::uint32_t>(stream);
    e.text = detail::span(chunk);
    emit(e);
  }
  /// The whole final answer. Without it, what text() was given is.
  void completed(std::string_view answer) {
    const std::lock_guard lock(mutex_);
    answer_ = std::string(answer);
  }

  void not_delivered() { deliver(ATTACHE_NOT_DELIVERED); }  ///< before the provider is started
  void indeterminate() { deliver(ATTACHE_INDETERMINATE); }  ///< before the first byte of the turn is written
  void delivered() { deliver(ATTACHE_DELIVERED); }          ///< once the last one was taken
  void checkpoint(std::string_view json) {
    const attache_span text = detail::span(json);
    obey(host_->set_checkpoint(id_, &text));
  }
  [[nodiscard]] Retained retain() {
    obey(host_->retain(id_));
    return {host_, id_};
  }

  /// A process group that works for the run, so that it does not outlive a host that is killed; spi.h has the rules.
  /// run_process_turn() calls it. False: not noted, because the host is of SPI 1.0 or could not; nothing has to follow.
  /// \since 0.2 (SPI 1.1)
  bool process_group(std::int64_t pgid, std::uint64_t start_time) {
    const auto report = detail::get(host_, &attache_host::report_process_group);
    return report != nullptr && report(id_, pgid, start_time) == ATTACHE_OK;
  }
  /// The run's private directory, absolute; the host makes it at the first call and removes it. Empty on a host of
  /// SPI 1.0, which has none: make and remove one of your own there. Throws Failure(launch_failed,
  /// `private_directory`). \since 0.2 (SPI 1.1)
  std::string private_directory() {
    const auto give = detail::get(host_, &attache_host::private_directory);
    if (give == nullptr) return {};
    attache_span path{};
    if (give(id_, &path) != ATTACHE_OK || path.size == 0) {
      throw Failure(Status::launch_failed, "private_directory", "no private directory can be made for the run");
    }
    return std::string(detail::view(path));
  }

 private:
  template <class>
  friend struct detail::Table;

  static attache_event event(std::uint32_t type) noexcept {
    attache_event e{};
    e.struct_size = sizeof e;
    e.type = type;
    return e;
  }
  static void obey(attache_status status) {
    if (status == ATTACHE_OK) return;
    if (status == ATTACHE_CANCELLED) throw Failure(Status::cancelled, "cancelled", "the run was cancelled");
    throw Failure(Status::contract, "report_refused", "the host refused what the driver reported");
  }
  void begin(std::string_view model, std::string_view provider) {
    if (started_) return;
    started_ = true;
    attache_event e = event(ATTACHE_EVENT_STARTED);
    e.text = detail::span(model);
    e.name = detail::span(provider);
    obey(host_->emit(id_, &e));
  }
  void send(const attache_event& e) {
    begin({}, {});
    obey(host_->emit(id_, &e));
  }
  void emit(const attache_event& e) {
    const std::lock_guard lock(mutex_);
    send(e);
  }
  void emit_json(std::uint32_t type, std::string_view json) {
    attache_event e = event(type);
    e.json = detail::span(json);
    emit(e);
  }
  void deliver(attache_delivery state) {
    const std::lock_guard lock(mutex_);
    if (state == delivery_) return;
    obey(host_->set_delivery(id_, state));
    delivery_ = state;
  }
  /// The last event; nothing is sent after it. A host that is gone by now is no news.
  void end(attache_status status) noexcept {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(started_, true)) {
      const attache_event first = event(ATTACHE_EVENT_STARTED);
      host_->emit(id_, &first);
    }
    attache_event last = event(ATTACHE_EVENT_COMPLETED);
    last.code = static_cast<std::uint32_t>(status);
    last.text = detail::span(answer_ ? *answer_ : deltas_);
    host_->emit(id_, &last);
  }

  const attache_host* host_;
  RunId id_;
  const std::string_view descriptor_;
  std::stop_source stop_;
  std::mutex mutex_;
  bool started_ = false;
  attache_delivery delivery_ = ATTACHE_NOT_STARTED;
  std::string deltas_;
  std::optional<std::string> answer_;
};

}  // namespace attache::sdk
