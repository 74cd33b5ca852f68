// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace attache::inputs {

/// The bytes that the copies of one run may take together, exact across threads: `limit` and the one byte that shows
/// that it was passed. Any thread.
class CopyBudget {
 public:
  explicit CopyBudget(std::uint64_t limit) noexcept;

  /// Bytes set aside for one read. What is not kept goes back.
  class Grant {
   public:
    Grant(Grant&& other) noexcept;
    Grant& operator=(Grant&&) = delete;
    ~Grant();
    std::uint64_t bytes() const noexcept { return bytes_; }
    void keep(std::uint64_t bytes) noexcept;

   private:
    friend class CopyBudget;
    Grant(CopyBudget& budget, std::uint64_t bytes) noexcept : budget_(&budget), bytes_(bytes) {}
    CopyBudget* budget_;
    std::uint64_t bytes_;
  };

  /// At most `wanted` bytes; 0: the limit was passed. Waits while all that is left is set aside by other threads.
  /// Throws Error(cancelled).
  Grant take(std::uint64_t wanted, const std::stop_token& stop);

 private:
  void settle(std::uint64_t granted, std::uint64_t kept) noexcept;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  const std::uint64_t capacity_;
  std::uint64_t kept_ = 0, granted_ = 0;
};

}  // namespace attache::inputs
