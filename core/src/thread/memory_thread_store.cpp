// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <attache/thread_store.hpp>

#include "thread/thread_key.hpp"

namespace attache {
namespace {

// Shared with the leases, which may outlive the store.
struct Leased {
  std::mutex mutex;
  std::set<std::string, std::less<>> keys;
};

class MemoryLease final : public ThreadLease {
 public:
  explicit MemoryLease(std::shared_ptr<Leased> leased) : leased_(std::move(leased)), place_(leased_->keys.end()) {}
  ~MemoryLease() override {
    const std::lock_guard lock(leased_->mutex);
    if (place_ != leased_->keys.end()) leased_->keys.erase(place_);
  }
  bool take(std::string_view key) {
    const std::lock_guard lock(leased_->mutex);
    const auto [place, fresh] = leased_->keys.emplace(key);
    if (fresh) place_ = place;
    return fresh;
  }

 private:
  std::shared_ptr<Leased> leased_;
  std::set<std::string, std::less<>>::iterator place_;
};

class MemoryStore final : public ThreadStore {
 public:
  std::optional<ThreadRecord> load(std::string_view key) override {
    threads::check_key(key);
    const std::lock_guard lock(mutex_);
    const auto at = records_.find(key);
    if (at == records_.end()) return std::nullopt;
    return at->second;
  }

  bool save(std::string_view key, const ThreadRecord& record) override {
    threads::check_key(key);
    ThreadRecord copy = record;
    const std::lock_guard lock(mutex_);
    const auto at = records_.find(key);
    if (record.revision != (at == records_.end() ? 0 : at->second.revision)) return false;
    copy.revision = revision_ + 1;
    if (at == records_.end()) {
      records_.emplace(key, std::move(copy));
    } else {
      at->second = std::move(copy);
    }
    ++revision_;
    return true;
  }

  void erase(std::string_view key) override {
    threads::check_key(key);
    const std::lock_guard lock(mutex_);
    const auto at = records_.find(key);
    if (at != records_.end()) records_.erase(at);
  }

  std::unique_ptr<ThreadLease> lease(std::string_view key) override {
    threads::check_key(key);
    auto lease = std::make_unique<MemoryLease>(leased_);
    if (!lease->take(key)) return nullptr;
    return lease;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, ThreadRecord, std::less<>> records_;
  // Of the store, so that a thread that was erased and made again does not come back to an old revision.
  std::uint64_t revision_ = 0;
  std::shared_ptr<Leased> leased_ = std::make_shared<Leased>();
};

}  // namespace

std::shared_ptr<ThreadStore> memory_thread_store() {
  return std::make_shared<MemoryStore>();
}

}  // namespace attache
