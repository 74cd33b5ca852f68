// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "run/stream_state.hpp"
#include "run/thread_state.hpp"
#include "thread/fingerprint.hpp"

namespace attache {

std::shared_ptr<Thread::State> Thread::State::make(std::shared_ptr<run::AgentCore> agent, std::string key,
                                                   ThreadOptions options) {
  const Descriptor& descriptor = agent->driver.descriptor();
  const AgentOptions& settings = agent->settings;
  if (settings.thread_store == nullptr) {
    throw Error(errc::option_unsupported, "thread_store_missing", "the agent has no thread store");
  }
  if (!descriptor.features.resume) {
    throw Error(errc::option_unsupported, "resume", fmt::format("driver {} does not declare resume", descriptor.id));
  }
  if (key.empty()) {
    throw Error(errc::thread_store, "key_invalid", "a thread's key is not empty");
  }
  auto state = std::make_shared<State>();
  state->terms.store = settings.thread_store;
  state->terms.id = threads::opaque_id(agent->salt, key);
  state->terms.fingerprint = threads::fingerprint(descriptor, settings.config, settings.workspace);
  state->terms.key = std::move(key);
  state->terms.options = options;
  state->terms.diagnostics = settings.diagnostics;
  state->agent = std::move(agent);
  return state;
}

std::unique_ptr<threads::Turn> Thread::State::new_turn() const {
  return std::make_unique<threads::Turn>(terms);
}

Thread::Thread(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

Result Thread::run_with(std::string prompt, std::vector<RunOption> options) {
  return run::AgentCore::finish(state_->agent->new_run(std::move(prompt), options, state_->new_turn()));
}

Stream Thread::stream_with(std::string prompt, std::vector<RunOption> options) {
  return Stream(Stream::State::start(state_->agent->new_run(std::move(prompt), options, state_->new_turn())));
}

Thread Thread::fork(std::string new_key) const {
  const threads::TurnTerms& terms = state_->terms;
  const Descriptor& descriptor = state_->agent->driver.descriptor();
  if (!descriptor.features.fork) {
    throw Error(errc::option_unsupported, "fork", fmt::format("driver {} does not declare fork", descriptor.id));
  }
  const std::optional<ThreadRecord> record = threads::load(*terms.store, terms.key, terms.diagnostics);
  if (!record.has_value() || record->checkpoint_json.empty()) {
    throw Error(errc::thread_unknown, "thread_unknown", "the thread has no turn that could be continued");
  }
  if (record->fingerprint != terms.fingerprint) {
    throw Error(errc::thread_incompatible, "thread_incompatible",
                "the thread was made with another driver, configuration or workspace");
  }
  std::shared_ptr<State> forked = State::make(state_->agent, std::move(new_key), terms.options);
  if (threads::load(*terms.store, forked->terms.key, terms.diagnostics).has_value()) {
    throw Error(errc::thread_exists, "thread_exists", "the key of the fork is taken");
  }
  forked->terms.fork = std::make_shared<threads::PendingFork>();
  forked->terms.fork->checkpoint_json = record->checkpoint_json;
  forked->terms.fork->tainted = record->tainted;
  return Thread(std::move(forked));
}

const std::string& Thread::key() const noexcept {
  return state_->terms.key;
}

bool Thread::tainted() const {
  const threads::TurnTerms& terms = state_->terms;
  if (state_->is_pending()) {
    return terms.fork->tainted;
  }
  const std::optional<ThreadRecord> record = threads::load(*terms.store, terms.key, terms.diagnostics);
  return record.has_value() && record->tainted;
}

}  // namespace attache
