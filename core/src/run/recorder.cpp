// SPDX-License-Identifier: Apache-2.0
#include "run/recorder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "inputs/utf8.hpp"
#include "run/document.hpp"
#include "spi/read_struct.hpp"
#include "spi/text.hpp"

namespace attache::run {
namespace {

Result initial(const std::vector<ResolvedInput>& inputs) {
  Result result;
  result.inputs = inputs;
  for (const ResolvedInput& input : inputs) {
    Receipt receipt;
    receipt.input_id = input.id;
    receipt.index = input.index;
    result.receipts.push_back(std::move(receipt));
  }
  return result;
}

}  // namespace

/// Marks the time of a call of the driver.
class Recorder::Activity {
 public:
  explicit Activity(Recorder& recorder) noexcept : recorder_(recorder) { ++recorder_.in_call_; }
  ~Activity() {
    recorder_.last_call_ = Clock::now().time_since_epoch().count();
    --recorder_.in_call_;
  }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  Recorder& recorder_;
};

Recorder::Recorder(const std::vector<ResolvedInput>& inputs, redact::Guard guard, RunPlace& place, EventQueue& events,
                   const std::atomic<bool>& cancelled)
    : place_(place),
      events_(events),
      cancelled_(cancelled),
      last_call_(Clock::now().time_since_epoch().count()),
      guard_(std::move(guard)),
      redactor_(guard_),
      result_(initial(inputs)),
      receipt_seen_(inputs.size()) {}

void Recorder::note(Notice notice) {
  {
    std::lock_guard lock(mutex_);
    result_.notices.push_back(notice);
    if (!started_handed_on_) {
      after_started_.emplace_back(std::move(notice));
      return;
    }
  }
  Bodies bodies;
  bodies.emplace_back(std::move(notice));
  hand_on(std::move(bodies));
}

void Recorder::begin_attempt() {
  const Activity activity(*this);
  std::lock_guard lock(mutex_);
  attempt_ = AttemptRecord{};
}

void Recorder::end_attempt(attache_status status) {
  Bodies bodies;
  {
    std::lock_guard lock(mutex_);
    flush(bodies);
    const bool mismatch = attempt_.completed && attempt_.completed_status != status;
    const bool false_error = status == ATTACHE_OK && attempt_.error.has_value();
    for (const bool wrong : {!attempt_.started, !attempt_.completed, mismatch, false_error}) {
      result_.contract_violations += wrong ? 1 : 0;
    }
    if (!attempt_.completed) {
      result_.text = deltas_;
    }
  }
  hand_on(std::move(bodies));
}

void Recorder::finish() {
  Bodies bodies;
  {
    std::lock_guard lock(mutex_);
    flush(bodies);
    if (!started_handed_on_) {
      started_handed_on_ = true;
      bodies.insert(bodies.begin(), Started{});
      std::move(after_started_.begin(), after_started_.end(), std::back_inserter(bodies));
    }
  }
  hand_on(std::move(bodies));
}

AttemptRecord Recorder::attempt() const {
  std::lock_guard lock(mutex_);
  return attempt_;
}

Result Recorder::result() const {
  std::lock_guard lock(mutex_);
  Result copy = result_;
  const attache_delivery state = attempt_.delivery == ATTACHE_NOT_STARTED ? ATTACHE_INDETERMINATE : attempt_.delivery;
  copy.delivery = static_cast<Delivery>(state);
  return copy;
}

void Recorder::add_violations(std::uint64_t count) {
  std::lock_guard lock(mutex_);
  result_.contract_violations += count;
}

std::optional<Recorder::Clock::time_point> Recorder::idle_since() const noexcept {
  if (in_call_.load() > 0) {
    return std::nullopt;
  }
  return Clock::time_point(Clock::duration(last_call_.load()));
}

attache_status Recorder::on_event(const attache_event& event) {
  const Activity activity(*this);
  Bodies bodies;
  {
    std::lock_guard lock(mutex_);
    if (!take(event, bodies)) {
      return ATTACHE_CONTRACT;
    }
  }
  return hand_on(std::move(bodies)) && !cancelled() ? ATTACHE_OK : ATTACHE_CANCELLED;
}

attache_status Recorder::on_delivery(attache_delivery state) {
  const Activity activity(*this);
  std::lock_guard lock(mutex_);
  if (state < attempt_.delivery) {
    return ATTACHE_CONTRACT;
  }
  attempt_.delivery = state;
  return ATTACHE_OK;
}

attache_status Recorder::on_checkpoint(std::string json) {
  const Activity activity(*this);
  if (!is_document(json)) {
    return ATTACHE_CONTRACT;
  }
  std::lock_guard lock(mutex_);
  attempt_.checkpoint = redactor_->guarded_json(json);
  return ATTACHE_OK;
}

attache_status Recorder::on_error(spi::DriverError error) {
  const Activity activity(*this);
  std::lock_guard lock(mutex_);
  if (!attempt_.error.has_value()) {
    error.text = spi::safe_line(redactor_->guarded(error.text), spi::longest_error_text);
    error.request_id = spi::safe_line(redactor_->guarded(error.request_id), spi::longest_request_id);
    attempt_.error = std::move(error);
  }
  return ATTACHE_OK;
}

attache_status Recorder::on_process_group(std::int64_t pgid, std::uint64_t start_time) {
  const Activity activity(*this);
  return place_.note_group(pgid, start_time) ? ATTACHE_OK : ATTACHE_INTERNAL;
}

attache_status Recorder::on_private_directory(attache_span& path) {
  const Activity activity(*this);
  const std::string* made = place_.private_directory();
  if (made == nullptr) {
    return ATTACHE_INTERNAL;
  }
  path = spi::span_of(*made);
  Bodies bodies;
  {
    std::lock_guard lock(mutex_);
    if (!std::exchange(private_known_, true)) {
      flush(bodies);
      (guard_.directory.empty() ? guard_.directory : guard_.further.emplace_back()) = place_.own_path();
      redactor_.emplace(guard_);
    }
  }
  hand_on(std::move(bodies));
  return ATTACHE_OK;
}

bool Recorder::hand_on(Bodies bodies) {
  bool taken = true;
  for (EventBody& body : bodies) {
    taken = events_.push(std::move(body)) && taken;
  }
  return taken;
}

bool Recorder::known_input(std::string_view id) const noexcept {
  return std::any_of(result_.inputs.begin(), result_.inputs.end(),
                     [&](const ResolvedInput& input) { return input.id == id; });
}

}  // namespace attache::run
