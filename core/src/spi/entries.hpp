// SPDX-License-Identifier: Apache-2.0
// What the handles of the SPI stand for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "spi/host_table.hpp"
#include "spi/read_struct.hpp"
#include "spi/slot_table.hpp"

namespace attache::spi {

struct SinkEntry {
  std::mutex mutex;
  std::optional<std::string> document;
  std::optional<DriverError> error;
};

struct RunEntry {
  explicit RunEntry(RunCallbacks& receiver) : callbacks(receiver) {}
  RunCallbacks& callbacks;
  std::mutex serial;  ///< held while a callback runs; emit may wait under it
  std::mutex mutex;   ///< of what follows; never held across a callback
  std::condition_variable changed;
  bool over = false;
  std::uint32_t active = 0;  ///< callbacks in progress
  std::uint64_t retained = 0;
  std::uint64_t violations = 0;
  std::uint32_t groups = 0;  ///< reported process groups; under `serial`
};

SlotTable<SinkEntry>& sinks() noexcept;
SlotTable<RunEntry>& runs() noexcept;

/// False: not an error core can read.
bool read_error(const attache_error* from, DriverError& to);

}  // namespace attache::spi
