// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "run/stream_state.hpp"

namespace attache {

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

Stream::iterator Stream::begin() {
  return iterator(*this);
}

}  // namespace attache
