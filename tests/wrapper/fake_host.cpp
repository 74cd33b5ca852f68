// SPDX-License-Identifier: Apache-2.0
#include "fake_host.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>

#include "guarded.hpp"

namespace attache::testing {
namespace {

std::mutex registry_mutex;
std::map<std::uint64_t, Recorder*> registry;
std::uint64_t next_id = 1;

std::string copy(const attache_span& from) {
  return from.size == 0 ? std::string() : std::string(from.data, from.size);
}

Recorder* find(std::uint64_t id) {
  const std::lock_guard lock(registry_mutex);
  const auto found = registry.find(id);
  return found == registry.end() ? nullptr : found->second;
}

RecordedError copy(const attache_error& from) {
  return {from.status,       from.provider_code, from.input_index,     from.limit,
          copy(from.reason), copy(from.text),    copy(from.request_id)};
}

}  // namespace

struct Callbacks {
  template <class Body>
  static attache_status with(std::uint64_t id, const Body& body) {
    Recorder* const to = find(id);
    if (to == nullptr) return ATTACHE_CONTRACT;
    const std::lock_guard lock(to->mutex_);
    return to->closed_ ? ATTACHE_CONTRACT : body(*to);
  }
  static attache_status put(attache_sink sink, const attache_span* json) {
    return with(sink, [&](Recorder& r) { return r.documents_.push_back(copy(*json)), ATTACHE_OK; });
  }
  static attache_status set_error(std::uint64_t id, const attache_error* error) {
    return with(id, [&](Recorder& r) { return r.errors_.push_back(copy(*error)), ATTACHE_OK; });
  }
  static attache_status emit(attache_run run, const attache_event* e) {
    RecordedEvent event{
        e->type, e->code, copy(e->id),       copy(e->name), copy(e->text), copy(e->json), copy(e->media_type),
        e->size, {},      e->has_sha256 == 1};
    std::copy(std::begin(e->sha256), std::end(e->sha256), event.sha256.begin());
    const attache_status status = with(run, [&](Recorder& r) {
      r.events_.push_back(event);
      return r.cancelled_ ? ATTACHE_CANCELLED : ATTACHE_OK;
    });
    if (Recorder* const to = find(run); to != nullptr && to->on_event) to->on_event(event);
    return status;
  }
  static attache_status set_delivery(attache_run run, attache_delivery state) {
    return with(run, [&](Recorder& r) {
      if (!r.deliveries_.empty() && state < r.deliveries_.back()) return ATTACHE_CONTRACT;
      r.deliveries_.push_back(state);
      return ATTACHE_OK;
    });
  }
  static attache_status set_checkpoint(attache_run run, const attache_span* json) {
    return with(run, [&](Recorder& r) { return r.checkpoints_.push_back(copy(*json)), ATTACHE_OK; });
  }
  static attache_status retain(attache_run run) {
    return with(run, [](Recorder& r) { return ++r.references_, ATTACHE_OK; });
  }
  static attache_status release(attache_run run) {
    return with(run, [](Recorder& r) { return --r.references_, ATTACHE_OK; });
  }
  static attache_status report_process_group(attache_run run, std::int64_t pgid, std::uint64_t start_time) {
    return with(run, [&](Recorder& r) { return r.groups_.emplace_back(pgid, start_time), ATTACHE_OK; });
  }
  static attache_status private_directory(attache_run run, attache_span* path) {
    return with(run, [&](Recorder& r) {
      // Not where the driver would make one of its own.
      std::string name = "/tmp/attache-fake-host-XXXXXX";
      if (r.directory_.empty() && mkdtemp(name.data()) == nullptr) return ATTACHE_INTERNAL;
      if (r.directory_.empty()) r.directory_ = name;
      *path = span(r.directory_);
      return ATTACHE_OK;
    });
  }
  static std::uint32_t cancelled(attache_run run) {
    Recorder* const to = find(run);
    if (to == nullptr) return 1;
    const std::lock_guard lock(to->mutex_);
    return to->cancelled_ || to->closed_ ? 1 : 0;
  }
};

Recorder::Recorder() {
  const std::lock_guard lock(registry_mutex);
  id_ = next_id++;
  registry.emplace(id_, this);
}

Recorder::~Recorder() {
  {
    const std::lock_guard lock(registry_mutex);
    registry.erase(id_);
  }
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
}

void Recorder::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
}

void Recorder::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

std::vector<RecordedEvent> Recorder::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

std::vector<RecordedEvent> Recorder::events(std::uint32_t type) const {
  std::vector<RecordedEvent> out = events();
  out.erase(std::remove_if(out.begin(), out.end(), [type](const RecordedEvent& e) { return e.type != type; }),
            out.end());
  return out;
}

std::vector<RecordedError> Recorder::errors() const {
  const std::lock_guard lock(mutex_);
  return errors_;
}

std::vector<attache_delivery> Recorder::deliveries() const {
  const std::lock_guard lock(mutex_);
  return deliveries_;
}

std::vector<std::string> Recorder::documents() const {
  const std::lock_guard lock(mutex_);
  return documents_;
}

std::vector<std::string> Recorder::checkpoints() const {
  const std::lock_guard lock(mutex_);
  return checkpoints_;
}

std::vector<std::pair<std::int64_t, std::uint64_t>> Recorder::groups() const {
  const std::lock_guard lock(mutex_);
  return groups_;
}

std::string Recorder::directory() const {
  const std::lock_guard lock(mutex_);
  return directory_;
}

int Recorder::references() const {
  const std::lock_guard lock(mutex_);
  return references_;
}

const attache_host& fake_host() {
  static const attache_host host = [] {
    attache_host h{};
    h.struct_size = sizeof h;
    h.minor = ATTACHE_SPI_MINOR;
    h.put = &Callbacks::put;
    h.fail = &Callbacks::set_error;
    h.emit = &Callbacks::emit;
    h.set_delivery = &Callbacks::set_delivery;
    h.set_checkpoint = &Callbacks::set_checkpoint;
    h.set_error = &Callbacks::set_error;
    h.retain = &Callbacks::retain;
    h.release = &Callbacks::release;
    h.cancelled = &Callbacks::cancelled;
    h.report_process_group = &Callbacks::report_process_group;
    h.private_directory = &Callbacks::private_directory;
    return h;
  }();
  return host;
}

const attache_host& fake_host_1_0() {
  static const Guarded<attache_host> host = [] {
    attache_host h = fake_host();
    h.struct_size = offsetof(attache_host, report_process_group);
    h.minor = 0;
    return Guarded<attache_host>(h, h.struct_size);
  }();
  return *host.get();
}

attache_span span(const std::string& text) {
  return {text.empty() ? nullptr : text.data(), text.size()};
}

}  // namespace attache::testing
