// SPDX-License-Identifier: Apache-2.0
#include "run/run.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "inputs/input_state.hpp"

namespace attache::run {
namespace {

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

inputs::Terms RunTerms::for_inputs(const Effective& effective, std::uint64_t prompt_bytes) const {
  inputs::Terms terms;
  terms.descriptor = &instance->descriptor();
  terms.capabilities = &effective.capabilities;
  terms.inspected = effective.inspected;
  terms.limits = limits;
  terms.fidelity = fidelity;
  terms.run_base = run_base;
  terms.workspace = workspace;
  terms.prompt_bytes = prompt_bytes;
  terms.allow_provider_urls = allow_provider_urls;
  terms.provider_url_hosts = provider_url_hosts;
  terms.diagnostics = diagnostics;
  return terms;
}

Run::Run(RunTerms terms, std::string prompt, RunSettings settings, std::unique_ptr<threads::Turn> turn)
    : terms_(std::move(terms)),
      id_(new_id()),
      prompt_(std::move(prompt)),
      workspace_(terms_.workspace.string()),
      settings_(std::move(settings)),
      events_(terms_.event_buffer),
      deadline_(settings_.deadline.count() > 0 ? std::optional(Clock::now() + settings_.deadline) : std::nullopt),
      turn_(std::move(turn)),
      place_(inputs_, terms_.run_base, terms_.diagnostics) {}

bool Run::lends_memory() const {
  return std::any_of(settings_.inputs.begin(), settings_.inputs.end(), [](const input::Input& input) {
    return std::holds_alternative<std::span<const std::byte>>(input::InputAccess::state(input).source);
  });
}

bool Run::start() {
  if (terms_.instance == nullptr || !terms_.gate->enter(shared_from_this())) {
    fail_early(std::make_exception_ptr(Error(errc::agent_closed, "agent_closed", "the agent is closed")));
    return false;
  }
  try {
    host_stop_.emplace(settings_.stop, [this] { cancel(Cause::host); });
    worker_ = std::thread([self = shared_from_this()] { self->work(); });
  } catch (...) {
    host_stop_.reset();
    fail_early(std::make_exception_ptr(Error(errc::internal, "thread", "no thread could be started for the run")));
    terms_.gate->leave(*this);
    return false;
  }
  return true;
}

void Run::cancel(Cause cause) noexcept {
  std::lock_guard lock(mutex_);
  if (cause_ == Cause::none && !ended_) {
    cause_ = cause;
    cancelled_ = true;
    changed_.notify_all();
  }
}

void Run::wait_prepared() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return prepared_ || ended_; });
}

Result Run::result() {
  events_.discard();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_; });
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
  return *result_;
}

bool Run::settle(std::optional<Result> result, std::exception_ptr error, std::optional<EventBody> last) {
  std::lock_guard lock(mutex_);
  if (ended_) {
    return false;
  }
  result_ = std::move(result);
  error_ = std::move(error);
  ended_ = true;
  events_.close(std::move(last));
  changed_.notify_all();
  return true;
}

void Run::fail_early(std::exception_ptr error) {
  settle(std::nullopt, std::move(error), std::nullopt);
}

std::chrono::milliseconds Run::time_left() const {
  if (!deadline_.has_value()) {
    return std::chrono::milliseconds::zero();
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

}  // namespace attache::run
