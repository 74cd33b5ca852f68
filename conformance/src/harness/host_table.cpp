// SPDX-License-Identifier: Apache-2.0
#include "harness/host_table.hpp"

#include <chrono>

namespace attache::conformance {
namespace {

std::string copy(const attache_span& span) {
  return span.data == nullptr ? std::string() : std::string(span.data, static_cast<std::size_t>(span.size));
}

SpiError copy(const attache_error& error) {
  return {error.status, error.input_index, error.limit, copy(error.reason), copy(error.text), copy(error.request_id)};
}

SpiEvent copy(const attache_event& event) {
  SpiEvent out;
  out.type = event.type;
  out.code = event.code;
  out.id = copy(event.id);
  out.name = copy(event.name);
  out.text = copy(event.text);
  out.json = copy(event.json);
  out.media_type = copy(event.media_type);
  out.size = event.size;
  if (event.has_sha256 == 1) out.sha256 = std::to_array(event.sha256);
  return out;
}

/// This host is of minor 0: a struct that is smaller than 1.0's was filled by no driver of this major.
template <class Struct>
bool whole(const Struct* given) {
  return given != nullptr && given->struct_size >= sizeof(Struct);
}

}  // namespace

HostState& HostState::get() {
  static HostState state;
  return state;
}

const attache_host& HostState::table() {
  static const attache_host table = [] {
    attache_host host{};
    host.struct_size = sizeof(host);
    host.minor = ATTACHE_SPI_MINOR;
    host.put = [](attache_sink sink, const attache_span* json) { return get().put(sink, json); };
    host.fail = [](attache_sink sink, const attache_error* error) { return get().fail(sink, error); };
    host.emit = [](attache_run run, const attache_event* event) { return get().emit(run, event); };
    host.set_delivery = [](attache_run run, attache_delivery state) { return get().set_delivery(run, state); };
    host.set_checkpoint = [](attache_run run, const attache_span* json) { return get().set_checkpoint(run, json); };
    host.set_error = [](attache_run run, const attache_error* error) { return get().set_error(run, error); };
    host.retain = [](attache_run run) { return get().count(run, 1); };
    host.release = [](attache_run run) { return get().count(run, -1); };
    host.cancelled = [](attache_run run) { return get().cancelled(run); };
    return host;
  }();
  return table;
}

attache_run HostState::begin_run() {
  std::lock_guard lock(mutex_);
  runs_[next_];
  return next_++;
}

SpiRecord HostState::end_run(attache_run run) {
  std::unique_lock lock(mutex_);
  SpiRecord& record = runs_[run];
  released_.wait_for(lock, std::chrono::seconds(10), [&] { return record.references <= 0; });
  SpiRecord taken = std::move(record);
  runs_.erase(run);
  return taken;
}

attache_sink HostState::open_sink() {
  std::lock_guard lock(mutex_);
  sinks_[next_];
  return next_++;
}

HostState::Sink HostState::close_sink(attache_sink sink) {
  std::lock_guard lock(mutex_);
  Sink taken = std::move(sinks_[sink]);
  sinks_.erase(sink);
  return taken;
}

attache_status HostState::put(attache_sink sink, const attache_span* json) {
  std::lock_guard lock(mutex_);
  auto found = sinks_.find(sink);
  if (found == sinks_.end() || json == nullptr || found->second.document) return ATTACHE_CONTRACT;
  found->second.document = copy(*json);
  return ATTACHE_OK;
}

attache_status HostState::fail(attache_sink sink, const attache_error* error) {
  std::lock_guard lock(mutex_);
  auto found = sinks_.find(sink);
  if (found == sinks_.end() || !whole(error)) return ATTACHE_CONTRACT;
  found->second.error = copy(*error);
  return ATTACHE_OK;
}

SpiRecord* HostState::find(attache_run run) {
  auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : &found->second;
}

attache_status HostState::emit(attache_run run, const attache_event* event) {
  std::lock_guard lock(mutex_);
  SpiRecord* record = find(run);
  if (record == nullptr) return ATTACHE_CONTRACT;
  bool over = !record->events.empty() && record->events.back().type == ATTACHE_EVENT_COMPLETED;
  if (!whole(event) || over || (record->events.empty() != (event->type == ATTACHE_EVENT_STARTED))) {
    record->violations.push_back("an event out of order or without its size");
    return ATTACHE_CONTRACT;
  }
  record->events.push_back(copy(*event));
  return ATTACHE_OK;
}

attache_status HostState::set_delivery(attache_run run, attache_delivery state) {
  std::lock_guard lock(mutex_);
  SpiRecord* record = find(run);
  if (record == nullptr) return ATTACHE_CONTRACT;
  if (state < record->last_delivery()) {
    record->violations.push_back("the delivery state went backwards");
    return ATTACHE_CONTRACT;
  }
  record->delivery.push_back(state);
  return ATTACHE_OK;
}

attache_status HostState::set_checkpoint(attache_run run, const attache_span* json) {
  std::lock_guard lock(mutex_);
  SpiRecord* record = find(run);
  if (record == nullptr || json == nullptr) return ATTACHE_CONTRACT;
  record->checkpoints.push_back(copy(*json));
  return ATTACHE_OK;
}

attache_status HostState::set_error(attache_run run, const attache_error* error) {
  std::lock_guard lock(mutex_);
  SpiRecord* record = find(run);
  if (record == nullptr || !whole(error)) return ATTACHE_CONTRACT;
  if (!record->error) record->error = copy(*error);
  return ATTACHE_OK;
}

attache_status HostState::count(attache_run run, std::int64_t step) {
  std::lock_guard lock(mutex_);
  SpiRecord* record = find(run);
  if (record == nullptr) return ATTACHE_CONTRACT;
  record->references += step;
  released_.notify_all();
  return ATTACHE_OK;
}

std::uint32_t HostState::cancelled(attache_run run) {
  std::lock_guard lock(mutex_);
  return find(run) == nullptr ? 1u : 0u;
}

}  // namespace attache::conformance
