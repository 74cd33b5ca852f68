// SPDX-License-Identifier: Apache-2.0
// The worker's part of a run.
#include <utility>

#include "run/run.hpp"

namespace attache::run {

void Run::work() noexcept {
  try {
    prepare();
    const Gate::Turn turn = terms_.gate->take_turn([this] { return cancelled_.load(); });
    if (turn == Gate::Turn::quarantined) {
      throw Error(errc::driver_contract, "instance_quarantined",
                  "an earlier run of this agent never ended; its driver instance is not used again");
    }
    if (turn == Gate::Turn::given_up) {
      cancel(Cause::agent_closed);  // the cause, unless there is one
      throw early_error(ended_for(cause()));
    }
    if (turn_ != nullptr) {
      note_turn();
    }
    drive();
  } catch (const Error& error) {
    const Cause why = cause();
    const bool stopped = error.code() == errc::cancelled && why != Cause::none;
    const std::exception_ptr shown =
        stopped ? std::make_exception_ptr(early_error(ended_for(why))) : std::current_exception();
    clean_up();
    fail_early(shown);
  } catch (...) {
    clean_up();
    fail_early(std::make_exception_ptr(Error(errc::internal, "internal", "the run failed inside the host")));
  }
}

/// The turn of the gate is held: whatever fails must give it back.
void Run::note_turn() {
  try {
    turn_->enter(on_fork_);
  } catch (...) {
    terms_.gate->end_turn();
    throw;
  }
}

void Run::drive() {
  std::optional<Failure> failure = enter_driver(true);
  while (again_) {
    failure = enter_driver(false);
  }
  if (phase_ != Phase::cleaning) {
    linger();
    return;
  }
  terms_.gate->end_turn();
  publish(std::move(failure), Driven::done);
}

bool Run::begin_entry() {
  std::lock_guard lock(mutex_);
  if (cause_ != Cause::none) {
    return false;
  }
  recorder_->begin_attempt();
  handle_ = std::make_shared<spi::RunHandle>(*recorder_);
  phase_ = Phase::driving;
  changed_.notify_all();
  return true;
}

std::optional<Failure> Run::enter_driver(bool first) {
  again_ = false;
  if (!begin_entry()) {
    const Failure ended = ended_for(cause());
    if (first) {
      terms_.gate->end_turn();
      throw early_error(ended);
    }
    return ended;
  }
  request_->set_deadline(time_left());
  const attache_status status = terms_.instance->run(request_->get(), handle_->value());
  if (!end_entry(status)) {
    return std::nullopt;
  }
  const AttemptRecord attempt = recorder_->attempt();
  again_ = may_enter_again(status, attempt);
  return judge({status, attempt, recorder_->result(), wants_exact_, terms_.instance->descriptor(),
                effective_->capabilities, cause()});
}

/// While it is certain that nothing was sent, a launch is tried once more, and a session that the provider does not
/// have is replaced by a new one. The inputs are those already there.
bool Run::may_enter_again(attache_status status, const AttemptRecord& attempt) {
  if (attempt.delivery != ATTACHE_NOT_DELIVERED || cancelled_.load()) {
    return false;
  }
  if (status == ATTACHE_LAUNCH_FAILED) {
    return !std::exchange(relaunched_, true);
  }
  if (status != ATTACHE_RESUME_REJECTED || turn_ == nullptr || !turn_->may_restart()) {
    return false;
  }
  turn_->restart();
  on_fork_ = false;
  request_->set_thread(turn_->id(), turn_->checkpoint(), on_fork_);
  recorder_->note({"thread_restarted", "The provider does not have the thread's session; a new one was begun.", {}});
  return true;
}

bool Run::end_entry(attache_status status) {
  std::unique_lock lock(mutex_);
  if (left_behind_) {
    return false;
  }
  phase_ = Phase::releasing;
  changed_.notify_all();
  lock.unlock();

  const bool released = handle_->wait_released(terms_.grace.count());
  recorder_->end_attempt(status);
  if (!released) {
    leave_behind({errc::driver_contract, "reference_held", "the driver did not release the run", std::nullopt, 0, {}});
    return false;
  }
  lock.lock();
  changed_.wait(lock, [this] { return !cancel_active_ || left_behind_; });
  if (left_behind_) {
    return false;
  }
  phase_ = Phase::cleaning;
  const std::shared_ptr<spi::RunHandle> over = std::move(handle_);
  lock.unlock();
  recorder_->add_violations(over->violations());
  return true;
}

void Run::leave_behind(Failure failure) {
  std::shared_ptr<spi::RunHandle> handle;
  {
    std::lock_guard lock(mutex_);
    if (left_behind_) {
      return;
    }
    left_behind_ = true;
    handle = handle_;
    changed_.notify_all();
  }
  handle->abandon();
  recorder_->add_violations(handle->violations());
  terms_.gate->quarantine();
  publish(std::move(failure), Driven::not_done);
}

void Run::linger() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !cancel_active_; });
  }
  handle_->wait_released(-1);
  std::shared_ptr<spi::RunHandle> over;
  {
    std::lock_guard lock(mutex_);
    over = std::move(handle_);
  }
  over.reset();
  clean_up();
}

void Run::clean_up() {
  std::shared_ptr<Instance> instance;
  {
    std::lock_guard lock(mutex_);
    instance = std::move(terms_.instance);
  }
  place_.remove();
  inputs_.remove();
  history_parts_.remove();
  if (turn_ != nullptr) {
    turn_->release();
  }
}

Cause Run::cause() {
  std::lock_guard lock(mutex_);
  return cause_;
}

}  // namespace attache::run
