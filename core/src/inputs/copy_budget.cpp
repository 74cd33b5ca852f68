// SPDX-License-Identifier: Apache-2.0
#include "inputs/copy_budget.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "inputs/stages.hpp"

namespace attache::inputs {

CopyBudget::CopyBudget(std::uint64_t limit) noexcept
    : capacity_(limit == std::numeric_limits<std::uint64_t>::max() ? limit : limit + 1) {}

CopyBudget::Grant::Grant(Grant&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}

CopyBudget::Grant::~Grant() {
  keep(0);
}

void CopyBudget::Grant::keep(std::uint64_t bytes) noexcept {
  if (CopyBudget* const budget = std::exchange(budget_, nullptr)) budget->settle(bytes_, bytes);
}

CopyBudget::Grant CopyBudget::take(std::uint64_t wanted, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [this] { return granted_ == 0 || kept_ + granted_ < capacity_; })) check_stop(stop);
  const std::uint64_t bytes = std::min(wanted, capacity_ - kept_ - granted_);
  granted_ += bytes;
  return Grant(*this, bytes);
}

void CopyBudget::settle(std::uint64_t granted, std::uint64_t kept) noexcept {
  const std::lock_guard lock(mutex_);
  granted_ -= granted;
  kept_ += kept;
  changed_.notify_all();
}

}  // namespace attache::inputs
