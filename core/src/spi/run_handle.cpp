// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>

#include "spi/entries.hpp"

namespace attache::spi {

SlotTable<RunEntry>& runs() noexcept {
  static auto* const table = new SlotTable<RunEntry>;  // outlives every thread of a driver
  return *table;
}

RunHandle::RunHandle(RunCallbacks& callbacks) : value_(runs().open(std::make_shared<RunEntry>(callbacks))) {}

RunHandle::~RunHandle() {
  const auto entry = runs().find(value_);
  runs().close(value_);
  std::unique_lock lock(entry->mutex);
  entry->over = true;
  entry->changed.wait(lock, [&] { return entry->active == 0; });
}

bool RunHandle::wait_released(std::int64_t timeout_ms) {
  const auto entry = runs().find(value_);
  std::unique_lock lock(entry->mutex);
  const auto released = [&] { return entry->retained == 0; };
  if (timeout_ms < 0) {
    entry->changed.wait(lock, released);
  } else if (!entry->changed.wait_for(lock, std::chrono::milliseconds(timeout_ms), released)) {
    return false;
  }
  entry->over = true;
  return true;
}

void RunHandle::abandon() noexcept {
  const auto entry = runs().find(value_);
  std::lock_guard lock(entry->mutex);
  entry->over = true;
}

std::uint64_t RunHandle::violations() const noexcept {
  const auto entry = runs().find(value_);
  std::lock_guard lock(entry->mutex);
  return entry->violations;
}

}  // namespace attache::spi
