// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>

#include "spi/entries.hpp"
#include "spi/text.hpp"

namespace attache::spi {

SlotTable<SinkEntry>& sinks() noexcept {
  static auto* const table = new SlotTable<SinkEntry>;  // outlives every thread of a driver
  return *table;
}

Sink::Sink() : handle_(sinks().open(std::make_shared<SinkEntry>())) {}

Sink::~Sink() {
  sinks().close(handle_);
}

std::optional<std::string> Sink::document() const {
  const auto entry = sinks().find(handle_);
  std::lock_guard lock(entry->mutex);
  return entry->document;
}

std::optional<DriverError> Sink::error() const {
  const auto entry = sinks().find(handle_);
  std::lock_guard lock(entry->mutex);
  return entry->error;
}

bool read_error(const attache_error* from, DriverError& to) {
  attache_error error{};
  if (!read_struct(from, offsetof(attache_error, provider_code), error) || !well_formed(error.reason) ||
      !well_formed(error.text) || !well_formed(error.request_id)) {
    return false;
  }
  const bool has_index = from->struct_size >= offsetof(attache_error, limit);
  const bool known = error.status >= ATTACHE_OK && error.status <= ATTACHE_INTERNAL;
  to.status = known ? error.status : ATTACHE_INTERNAL;
  to.provider_code = error.provider_code;
  to.input_index = has_index && error.input_index >= 0 ? error.input_index : -1;
  to.limit = error.limit;
  to.reason = is_slug(view(error.reason)) ? std::string(view(error.reason)) : "unspecified";
  to.text = view(error.text);
  to.request_id = view(error.request_id);
  return true;
}

}  // namespace attache::spi
