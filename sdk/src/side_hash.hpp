// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>

#include <attache/sdk/sha256.hpp>

namespace attache::sdk {

/// SHA-256 of bytes that are wanted for something else at the same time: a thread of its own hashes them meanwhile.
/// Hashing is the slowest thing that happens to a byte on its way. One thread uses it.
class SideHash {
 public:
  /// With false, and where no thread can be had, add() hashes before it returns.
  explicit SideHash(bool thread);
  SideHash(const SideHash&) = delete;
  SideHash& operator=(const SideHash&) = delete;
  ~SideHash();

  /// Must stay there unchanged until wait() says that it is done with.
  void add(std::span<const std::uint8_t> bytes);
  /// Until no more than `pending` of the latest add() are still to be hashed.
  void wait(std::size_t pending);
  /// Of all of it; once. Throws what hashing threw.
  Digest finish();

 private:
  void work();

  Sha256 hash_;  // the thread's until the queue is empty
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::span<const std::uint8_t>> queue_;  // the first is in work
  std::exception_ptr error_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace attache::sdk
