// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

#include "inputs/input_state.hpp"
#include "run/run.hpp"
#include "run/stream_state.hpp"

namespace attache {
namespace {

/// Inline data is the caller's memory, lent only until stream() returns.
bool lends_memory(const std::vector<input::Input>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const input::Input& input) {
    return std::holds_alternative<std::span<const std::byte>>(input::InputAccess::state(input).source);
  });
}

/// Drops the agent's reference to the instance. A driver whose destroy does not return is left behind with a thread
/// of its own after the grace.
void destroy_within(std::shared_ptr<run::Instance> instance, std::chrono::milliseconds grace) {
  auto done = std::make_shared<std::promise<void>>();
  const std::future<void> destroyed = done->get_future();
  std::thread thread;
  try {
    thread = std::thread([instance = std::move(instance), done]() mutable {
      instance.reset();
      done->set_value();
    });
  } catch (const std::system_error&) {
    return;  // no thread to be had: it was destroyed on this one
  }
  if (destroyed.wait_for(grace) == std::future_status::ready) {
    thread.join();
  } else {
    thread.detach();
  }
}

}  // namespace

struct Agent::State {
  State(Driver given, const AgentOptions& options)
      : driver(std::move(given)),
        grace(std::max(options.cancel_grace, std::chrono::milliseconds::zero())),
        gate(std::make_shared<run::Gate>(driver.descriptor().max_parallel_runs)),
        instance(run::Instance::create(driver, options)),
        capabilities(instance->capabilities()),
        settings(options) {}

  run::RunTerms terms() {
    run::RunTerms out;
    out.gate = gate;
    {
      std::lock_guard lock(mutex);
      out.instance = instance;
    }
    out.limits = settings.limits;
    out.run_base = settings.run_base;
    out.workspace = settings.workspace;
    out.fidelity = settings.fidelity;
    out.forbid_retention = settings.forbid_retention;
    out.grace = grace;
    out.event_buffer = settings.event_buffer;
    return out;
  }

  std::shared_ptr<run::Run> new_run(std::string prompt, const std::vector<RunOption>& options) {
    return std::make_shared<run::Run>(terms(), std::move(prompt), RunSettings::from(options));
  }

  const Driver driver;
  const std::chrono::milliseconds grace;
  const std::shared_ptr<run::Gate> gate;
  std::mutex mutex;
  std::shared_ptr<run::Instance> instance;  ///< empty once closed
  const InputCapabilities capabilities;
  const AgentOptions settings;
};

Agent::Agent(Driver driver, AgentOptions options) : state_(std::make_shared<State>(std::move(driver), options)) {}

Agent::Agent(Agent&&) noexcept = default;

Agent& Agent::operator=(Agent&& other) noexcept {
  if (this != &other) {
    close();
    state_ = std::move(other.state_);
  }
  return *this;
}

Agent::~Agent() {
  close();
}

Result Agent::run_with(std::string prompt, std::vector<RunOption> options) {
  const std::shared_ptr<run::Run> run = state_->new_run(std::move(prompt), options);
  run->events().discard();
  if (run->start()) {
    run->supervise();
  }
  return run->result();
}

Stream Agent::stream_with(std::string prompt, std::vector<RunOption> options) {
  RunSettings settings = RunSettings::from(options);
  const bool wait = lends_memory(settings.inputs);
  auto state = std::make_shared<Stream::State>(
      std::make_shared<run::Run>(state_->terms(), std::move(prompt), std::move(settings)));
  if (state->run->start()) {
    try {
      state->supervisor = std::thread([run = state->run] { run->supervise(); });
    } catch (const std::system_error&) {
      state->run->cancel(run::Cause::host);
      state->run->supervise();
    }
    if (wait) {
      state->run->wait_prepared();
    }
  }
  return Stream(std::move(state));
}

Plan Agent::plan_with(std::vector<RunOption> options) {
  const run::RunTerms terms = state_->terms();
  if (terms.instance == nullptr) {
    throw Error(errc::agent_closed, "agent_closed", "the agent is closed");
  }
  return inputs::plan(RunSettings::from(options).inputs, terms.for_inputs(0));
}

void Agent::close() {
  if (state_ == nullptr) {
    return;
  }
  state_->gate->close();
  std::shared_ptr<run::Instance> instance;
  {
    std::lock_guard lock(state_->mutex);
    instance = std::move(state_->instance);
  }
  if (instance != nullptr) {
    destroy_within(std::move(instance), state_->grace);
  }
}

const Descriptor& Agent::descriptor() const noexcept {
  return state_->driver.descriptor();
}

const InputCapabilities& Agent::capabilities() const noexcept {
  return state_->capabilities;
}

}  // namespace attache
