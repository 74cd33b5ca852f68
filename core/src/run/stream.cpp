// SPDX-License-Identifier: Apache-2.0
#include <system_error>
#include <utility>

#include "run/stream_state.hpp"

namespace attache {

std::shared_ptr<Stream::State> Stream::State::start(const std::shared_ptr<run::Run>& run) {
  const bool wait = run->lends_memory();
  auto state = std::make_shared<State>(run);
  if (run->start()) {
    try {
      state->supervisor = std::thread([run] { run->supervise(); });
    } catch (const std::system_error&) {
      run->cancel(run::Cause::host);
      run->supervise();
    }
    if (wait) {
      run->wait_prepared();
    }
  }
  return state;
}

Stream::State::~State() {
  run->cancel(run::Cause::host);
  run->events().discard();
  if (supervisor.joinable()) {
    supervisor.join();
  }
}

Stream::Stream(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

std::optional<Event> Stream::next() {
  return state_->run->events().next();
}

Result Stream::result() {
  return state_->run->result();
}

void Stream::cancel() noexcept {
  state_->run->cancel(run::Cause::host);
}

const std::string& Stream::run_id() const noexcept {
  return state_->run->id();
}

int Stream::poll_descriptor() const noexcept {
  return state_->run->events().poll_descriptor();
}

std::optional<Event> Stream::try_next() {
  return state_->run->events().try_next();
}

bool Stream::at_end() const noexcept {
  return state_->run->events().at_end();
}

Stream::iterator Stream::begin() {
  return iterator(*this);
}

}  // namespace attache
