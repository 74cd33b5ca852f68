// SPDX-License-Identifier: Apache-2.0
#include "spi/host_table.hpp"

#include <atomic>
#include <limits>
#include <memory>
#include <utility>

#include "spi/entries.hpp"

namespace attache::spi {
namespace {

constexpr std::uint64_t max_document = 1ULL << 20;
constexpr std::uint32_t max_groups = 256;
std::atomic<std::uint64_t> late{0};

attache_status refuse_late() noexcept {
  late.fetch_add(1, std::memory_order_relaxed);
  return ATTACHE_CONTRACT;
}

/// One callback of a driver, from lookup to answer.
class Call {
 public:
  explicit Call(attache_run run) noexcept : entry_(runs().find(run)) {
    if (entry_ == nullptr) {
      return;
    }
    std::lock_guard lock(entry_->mutex);
    if (entry_->over) {
      ++entry_->violations;
      return;
    }
    ++entry_->active;
    live_ = true;
  }
  ~Call() {
    if (live_) {
      std::lock_guard lock(entry_->mutex);
      --entry_->active;
      entry_->changed.notify_all();
    }
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  RunEntry* entry() const noexcept { return live_ ? entry_.get() : nullptr; }

 private:
  std::shared_ptr<RunEntry> entry_;
  bool live_ = false;
};

attache_status count(RunEntry& entry, attache_status status) noexcept {
  if (status == ATTACHE_CONTRACT) {
    std::lock_guard lock(entry.mutex);
    ++entry.violations;
  }
  return status;
}

/// Enters a run, one call at a time. `function` gives the answer; it may throw only for want of memory.
template <class Function>
attache_status enter(attache_run run, Function function) noexcept {
  const Call call(run);
  RunEntry* entry = call.entry();
  if (entry == nullptr) {
    return refuse_late();
  }
  std::lock_guard serial(entry->serial);
  {
    std::lock_guard lock(entry->mutex);
    if (entry->over) {
      ++entry->violations;
      return refuse_late();
    }
  }
  try {
    return count(*entry, function(*entry));
  } catch (...) {
    return count(*entry, ATTACHE_CONTRACT);
  }
}

attache_status put(attache_sink sink, const attache_span* json) noexcept {
  const auto entry = sinks().find(sink);
  if (entry == nullptr) {
    return refuse_late();
  }
  if (json == nullptr || !well_formed(*json) || json->size > max_document) {
    return ATTACHE_CONTRACT;
  }
  std::lock_guard lock(entry->mutex);
  if (entry->document.has_value()) {
    return ATTACHE_CONTRACT;
  }
  entry->document = std::string(view(*json));
  return ATTACHE_OK;
}

attache_status fail(attache_sink sink, const attache_error* error) noexcept {
  const auto entry = sinks().find(sink);
  if (entry == nullptr) {
    return refuse_late();
  }
  DriverError copy;
  if (!read_error(error, copy)) {
    return ATTACHE_CONTRACT;
  }
  std::lock_guard lock(entry->mutex);
  if (entry->error.has_value()) {
    return ATTACHE_CONTRACT;
  }
  entry->error = std::move(copy);
  return ATTACHE_OK;
}

attache_status emit(attache_run run, const attache_event* event) noexcept {
  return enter(run, [event](RunEntry& entry) {
    attache_event copy{};
    if (!read_struct(event, offsetof(attache_event, id), copy) || copy.reserved0 != 0) {
      return ATTACHE_CONTRACT;
    }
    for (const attache_span* span : {&copy.id, &copy.name, &copy.text, &copy.json, &copy.media_type}) {
      if (!well_formed(*span)) {
        return ATTACHE_CONTRACT;
      }
    }
    return entry.callbacks.on_event(copy);
  });
}

attache_status set_delivery(attache_run run, attache_delivery state) noexcept {
  return enter(run, [state](RunEntry& entry) {
    return entry.callbacks.on_delivery(state > ATTACHE_DELIVERED ? ATTACHE_INDETERMINATE : state);
  });
}

attache_status set_checkpoint(attache_run run, const attache_span* json) noexcept {
  return enter(run, [json](RunEntry& entry) {
    if (json == nullptr || !well_formed(*json) || json->size > max_document) {
      return ATTACHE_CONTRACT;
    }
    return entry.callbacks.on_checkpoint(std::string(view(*json)));
  });
}

attache_status set_error(attache_run run, const attache_error* error) noexcept {
  return enter(run, [error](RunEntry& entry) {
    DriverError copy;
    return read_error(error, copy) ? entry.callbacks.on_error(std::move(copy)) : ATTACHE_CONTRACT;
  });
}

attache_status change_count(attache_run run, bool up) noexcept {
  const auto entry = runs().find(run);
  if (entry == nullptr) {
    return refuse_late();
  }
  std::lock_guard lock(entry->mutex);
  const bool wrong = (entry->over && up) || (!up && entry->retained == 0);
  if (!wrong) {
    entry->retained = up ? entry->retained + 1 : entry->retained - 1;
    entry->changed.notify_all();
  }
  if (wrong || entry->over) {
    ++entry->violations;
    return entry->over ? refuse_late() : ATTACHE_CONTRACT;
  }
  return ATTACHE_OK;
}

attache_status retain(attache_run run) noexcept {
  return change_count(run, true);
}
attache_status release(attache_run run) noexcept {
  return change_count(run, false);
}

std::uint32_t cancelled(attache_run run) noexcept {
  const Call call(run);
  if (call.entry() == nullptr) {
    refuse_late();
    return 1;
  }
  return call.entry()->callbacks.cancelled() ? 1 : 0;
}

attache_status report_process_group(attache_run run, std::int64_t pgid, std::uint64_t start_time) noexcept {
  return enter(run, [pgid, start_time](RunEntry& entry) {
    const bool sound = pgid > 1 && pgid <= std::numeric_limits<std::int32_t>::max() && start_time != 0;
    if (!sound || entry.groups == max_groups) {
      return ATTACHE_CONTRACT;
    }
    ++entry.groups;
    return entry.callbacks.on_process_group(pgid, start_time);
  });
}

attache_status private_directory(attache_run run, attache_span* path) noexcept {
  return enter(run, [path](RunEntry& entry) {
    return path == nullptr ? ATTACHE_CONTRACT : entry.callbacks.on_private_directory(*path);
  });
}

constexpr attache_host table{.struct_size = sizeof(attache_host),
                             .minor = ATTACHE_SPI_MINOR,
                             .reserved0 = 0,
                             .put = put,
                             .fail = fail,
                             .emit = emit,
                             .set_delivery = set_delivery,
                             .set_checkpoint = set_checkpoint,
                             .set_error = set_error,
                             .retain = retain,
                             .release = release,
                             .cancelled = cancelled,
                             .report_process_group = report_process_group,
                             .private_directory = private_directory};

}  // namespace

const attache_host& host_table() noexcept {
  return table;
}

std::uint64_t late_calls() noexcept {
  return late.load(std::memory_order_relaxed);
}

}  // namespace attache::spi
