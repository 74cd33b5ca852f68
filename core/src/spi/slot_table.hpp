// SPDX-License-Identifier: Apache-2.0
// Handles of slot + generation: a handle that is over is recognised, never followed.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace attache::spi {

/// Maps handles to shared entries. Handles are never 0 and never given twice. Any thread.
template <class Entry>
class SlotTable {
 public:
  std::uint64_t open(std::shared_ptr<Entry> entry) {
    std::lock_guard lock(mutex_);
    std::uint32_t index = 0;
    if (free_.empty()) {
      index = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    slots_[index].entry = std::move(entry);
    return (static_cast<std::uint64_t>(slots_[index].generation) << 32) | (index + 1U);
  }

  /// Empty when the handle was never given or is closed.
  std::shared_ptr<Entry> find(std::uint64_t handle) const {
    std::lock_guard lock(mutex_);
    const Slot* slot = locate(handle);
    return slot != nullptr ? slot->entry : nullptr;
  }

  void close(std::uint64_t handle) {
    std::lock_guard lock(mutex_);
    auto* slot = const_cast<Slot*>(locate(handle));
    if (slot == nullptr) {
      return;
    }
    slot->entry.reset();
    if (slot->generation != std::numeric_limits<std::uint32_t>::max()) {
      ++slot->generation;
      free_.push_back(static_cast<std::uint32_t>(slot - slots_.data()));
    }
  }

 private:
  struct Slot {
    std::uint32_t generation = 1;
    std::shared_ptr<Entry> entry;
  };

  const Slot* locate(std::uint64_t handle) const {
    const auto number = static_cast<std::uint32_t>(handle);
    if (number == 0 || number > slots_.size()) {
      return nullptr;
    }
    const Slot& slot = slots_[number - 1];
    return slot.entry != nullptr && slot.generation == static_cast<std::uint32_t>(handle >> 32) ? &slot : nullptr;
  }

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace attache::spi
