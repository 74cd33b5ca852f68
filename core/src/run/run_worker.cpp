// SPDX-License-Identifier: Apache-2.0
// The worker's part of a run.
#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "inputs/input_state.hpp"
#include "inputs/prompt.hpp"
#include "run/run.hpp"

namespace attache::run {
namespace {

redact::Guard guard_of(const inputs::RunInputs& inputs, const std::vector<input::Input>& given,
                       const std::string& workspace) {
  redact::Guard guard{inputs.directory(), workspace, {}};
  for (std::size_t i = 0; i < inputs.resolved().size(); ++i) {
    const ResolvedInput& resolved = inputs.resolved()[i];
    redact::GuardedInput guarded{resolved.id, inputs.local_path(i), {}};
    const auto& source = input::InputAccess::state(given.at(resolved.index)).source;
    if (const auto* path = std::get_if<std::filesystem::path>(&source)) {
      guarded.source_paths.push_back(path->string());
    }
    guard.inputs.push_back(std::move(guarded));
  }
  return guard;
}

}  // namespace

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

void Run::prepare() {
  inputs::check_prompt(prompt_, settings_.inputs.size());
  inputs_ = inputs::RunInputs::prepare(settings_.inputs, terms_.for_inputs(prompt_.size()), stop_.get_token());
  auto recorder = std::make_unique<Recorder>(inputs_.resolved(), guard_of(inputs_, settings_.inputs, workspace_),
                                             events_, cancelled_);
  settings_.inputs.clear();
  for (std::size_t i = 0; i < inputs_.resolved().size(); ++i) {
    const std::string& id = inputs_.resolved()[i].id;
    wants_exact_.push_back(inputs_.wants_exact(i));
    if (!inputs_.inside_exact_bounds(i)) {
      recorder->note({"beyond_exact_bounds",
                      fmt::format("Input {} is beyond the bounds inside which the provider keeps the bytes.", id), id});
    }
  }
  request_ = std::make_unique<Request>(prompt_, workspace_, inputs_,
                                       Request::Settings{settings_.idle, terms_.forbid_retention});
  std::lock_guard lock(mutex_);
  recorder_ = std::move(recorder);
  prepared_ = true;
  changed_.notify_all();
}

void Run::drive() {
  std::optional<Failure> failure;
  bool retry = true;
  for (bool first = true; retry; first = false) {
    failure = enter_driver(first, retry);
  }
  if (phase_ != Phase::cleaning) {
    linger();
    return;
  }
  terms_.gate->end_turn();
  clean_up();
  publish(std::move(failure));
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

std::optional<Failure> Run::enter_driver(bool first, bool& retry) {
  retry = false;
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
  const bool nothing_sent = attempt.delivery == ATTACHE_NOT_DELIVERED;
  retry = first && status == ATTACHE_LAUNCH_FAILED && nothing_sent && !cancelled_.load();
  return judge({status, attempt, recorder_->result(), wants_exact_, terms_.instance->descriptor(),
                terms_.instance->capabilities(), cause()});
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
  publish(std::move(failure));
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
  inputs_.remove();
}

Cause Run::cause() {
  std::lock_guard lock(mutex_);
  return cause_;
}

}  // namespace attache::run
