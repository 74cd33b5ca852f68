// SPDX-License-Identifier: Apache-2.0
// Provider processes that stay between the turns of a thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace attache::sdk {

/// \since 0.2
struct ResidentOptions {
  std::chrono::milliseconds idle{300'000};  ///< one that waits for longer is ended; 0: none is kept
  std::size_t most = 16;                    ///< waiting at once; the one that waited longest is ended for a further one
};

/// What Residents is without its type: see there.
/// \since 0.2
class ResidentPool {
 public:
  explicit ResidentPool(const ResidentOptions& options) : options_(options) {}
  ResidentPool(const ResidentPool&) = delete;
  ResidentPool& operator=(const ResidentPool&) = delete;
  ~ResidentPool();

  bool on() const noexcept { return options_.idle.count() > 0 && options_.most > 0; }

 protected:
  using Held = std::shared_ptr<void>;
  Held take(std::string_view thread, std::string_view signature);
  void keep(std::string thread, std::string signature, Held held);

 private:
  struct Entry {
    std::string thread, signature;
    Held held;
    std::chrono::steady_clock::time_point since;
  };
  using Entries = std::list<Entry>;  ///< the one that waits longest first
  void expire();

  const ResidentOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Entries entries_;
  std::thread timer_;  ///< runs from the first keep() on
  bool over_ = false;
};

/// The processes of one driver instance that wait for the next turn of their thread, at most one a thread. `Process`
/// is whatever holds one: its destructor ends the process, and is called by take(), keep(), a timer of the pool or the
/// pool's destructor, never under a lock. What waits is nobody else's: a turn takes it out and brings it back, and does
/// not bring back one that saw a bad turn. Any thread.
/// \since 0.2
template <class Process>
class Residents : public ResidentPool {
 public:
  using ResidentPool::ResidentPool;

  /// The process that waits for this thread, or null. One with another signature is ended: a signature says all that a
  /// process was started with and what it has seen, such as workspace and checkpoint.
  std::shared_ptr<Process> take(std::string_view thread, std::string_view signature) {
    return std::static_pointer_cast<Process>(ResidentPool::take(thread, signature));
  }
  /// Lets it wait. One that waits for the same thread is ended. An empty thread, or on() being false, ends it at once.
  void keep(std::string thread, std::string signature, std::shared_ptr<Process> process) {
    ResidentPool::keep(std::move(thread), std::move(signature), std::move(process));
  }
};

}  // namespace attache::sdk
