// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/thread.hpp>

#include "run/agent_core.hpp"
#include "run/stream_state.hpp"
#include "run/thread_state.hpp"

namespace attache {

struct [[gnu::visibility("hidden")]] Agent::State final : run::AgentCore {
  using AgentCore::AgentCore;
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
  return run::AgentCore::finish(state_->new_run(std::move(prompt), options));
}

Stream Agent::stream_with(std::string prompt, std::vector<RunOption> options) {
  return Stream(Stream::State::start(state_->new_run(std::move(prompt), options)));
}

Plan Agent::plan_with(std::vector<RunOption> options) {
  const run::RunTerms terms = state_->terms();
  const std::shared_ptr<const run::Effective> effective = state_->open_instance()->effective();
  return inputs::plan(RunSettings::from(options).inputs, terms.for_inputs(*effective, 0));
}

Thread Agent::thread(std::string key) {
  return thread(std::move(key), {});
}

Thread Agent::thread(std::string key, ThreadOptions options) {
  return Thread(Thread::State::make(state_, std::move(key), options));
}

std::string Agent::inspect() {
  return state_->open_instance()->inspect();
}

void Agent::prepare() {
  state_->open_instance()->prepare();
}

void Agent::close() {
  if (state_ != nullptr) {
    state_->close();
  }
}

const Descriptor& Agent::descriptor() const noexcept {
  return state_->driver.descriptor();
}

const InputCapabilities& Agent::capabilities() const noexcept {
  return state_->capabilities;
}

}  // namespace attache
