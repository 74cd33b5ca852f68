// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/sdk/process_turn.hpp>
#include <attache/sdk/rpc_turn.hpp>

#include "turn_process.hpp"

namespace attache::sdk {
RpcTurn::RpcTurn(const Request& request, Run& run, const SpawnOptions& spawn, RpcHandlers handlers,
                 const RpcTurnOptions& options)
    : request_(request),
      run_(run),
      options_(options),
      process_(start_provider(request, run, spawn)),
      peer_(process_, std::move(handlers), options.rpc),
      on_cancel_(run.stop_token(), [this] { process_.request_stop(); }) {
  peer_.set_limits(limits_of(request));
}

RpcTurn::~RpcTurn() {
  if (!std::exchange(ended_, true)) {
    stop_turn();
    process_.end(options_.stop_grace);
  }
}

template <class Body>
auto RpcTurn::guarded(const Body& body) {
  try {
    return body();
  } catch (const RpcInterrupted& end) {
    interrupted(end.why());
  } catch (const FrameError& error) {
    Failure failure = frame_failure(error, request_);
    if (error.slot() < slots_.size()) failure.input(slots_[error.slot()]);
    throw failure;
  }
}

RpcMessage RpcTurn::call(std::string_view method, std::string_view params) {
  return reply_to(post(method, params));
}

std::uint64_t RpcTurn::post(std::string_view method, std::string_view params) {
  return peer_.post({std::string(method), std::string(params)});
}

RpcMessage RpcTurn::reply_to(std::uint64_t number) {
  wait([&] { return peer_.replied(number); });
  return peer_.take_reply(number);
}

RpcMessage RpcTurn::deliver(std::string_view method, std::string_view params, JsonFrame payload,
                            const std::vector<std::uint32_t>& slots) {
  slots_ = slots;
  RpcCall call{std::string(method), std::string(params), std::move(payload)};
  call.on_first_byte = [this] {
    announced_ = true;
    run_.indeterminate();
  };
  call.on_written = [this] {
    delivered_ = true;
    run_.delivered();
  };
  turn_number_ = peer_.post(std::move(call));
  return reply_to(turn_number_);
}

void RpcTurn::wait(const std::function<bool()>& done) {
  guarded([&] { peer_.wait(done); });
}

ExitStatus RpcTurn::finish() {
  ended_ = true;
  const ExitStatus exit = process_.end(options_.exit_grace);
  if (!delivered_) throw turn_not_read();
  return exit;
}

void RpcTurn::interrupted(PumpEnd why) {
  throw_if_stopped(why);
  stop_.reset();
  ended_ = true;
  throw no_result(announced_, process_.end(options_.stop_grace));
}

/// Nothing is reported any more: the run may be over for the host.
void RpcTurn::stop_turn() noexcept {
  if (!stop_ || !delivered_ || !peer_.idle()) return;
  try {
    bool over = false;
    RpcHandlers deaf;
    deaf.on_notification = [&](const RpcMessage& message) { over = over || message.method == stop_->over; };
    peer_.set_handlers(deaf);
    ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + options_.interrupt_grace;
    peer_.set_limits(limits);
    if (stop_->notification) {
      peer_.notify(stop_->method, stop_->params);
    } else {
      peer_.post({stop_->method, stop_->params});
    }
    for (bool again = true; again;) {
      again = false;
      try {
        peer_.wait([&] { return stop_->over.empty() ? peer_.replied(turn_number_) : over; });
      } catch (const RpcInterrupted& end) {
        again = end.why() == PumpEnd::cancelled;  // the request to stop that led here, used up now
      }
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): what does not stop is ended
  } catch (...) {
  }
}

}  // namespace attache::sdk
