// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/sdk/declared.hpp>
#include <attache/sdk/process_turn.hpp>
#include <attache/sdk/rpc_turn.hpp>

namespace attache::sdk {
namespace {

Failure cancelled() {
  return {Status::cancelled, "cancelled", "the run was cancelled"};
}

ChildProcess start(const Request& request, Run& run, const SpawnOptions& options) {
  run.not_delivered();
  require_declared(request, run.descriptor());
  if (run.cancelled()) throw cancelled();
  try {
    return ChildProcess::spawn(options);
  } catch (const SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the provider's process could not be started");
  }
}

}  // namespace

RpcTurn::RpcTurn(const Request& request, Run& run, const SpawnOptions& spawn, RpcHandlers handlers,
                 const RpcTurnOptions& options)
    : request_(request),
      run_(run),
      options_(options),
      process_(start(request, run, spawn)),
      peer_(process_, std::move(handlers), options.rpc),
      on_cancel_(run.stop_token(), [this] { process_.request_stop(); }) {
  ChildProcess::Limits limits;
  if (const auto total = request.deadline()) limits.deadline = std::chrono::steady_clock::now() + *total;
  limits.idle = request.idle();
  peer_.set_limits(limits);
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
  return reply_to(peer_.post(std::move(call)));
}

void RpcTurn::wait(const std::function<bool()>& done) {
  guarded([&] { peer_.wait(done); });
}

ExitStatus RpcTurn::finish() {
  ended_ = true;
  const ExitStatus exit = process_.end(options_.exit_grace);
  if (!delivered_) {
    throw Failure(Status::provider_failed, "turn_not_read", "the provider gave a result without reading the turn");
  }
  return exit;
}

void RpcTurn::interrupted(PumpEnd why) {
  if (why == PumpEnd::cancelled) throw cancelled();
  if (why == PumpEnd::deadline) throw Failure(Status::timeout, "deadline", "the time for the run is over");
  if (why == PumpEnd::idle) throw Failure(Status::timeout, "idle", "the provider was silent for too long");
  stop_.reset();
  ended_ = true;
  const ExitStatus exit = process_.end(options_.stop_grace);
  Failure failure = announced_
                        ? Failure(Status::provider_failed, "no_result", "the provider's process ended without a result")
                        : Failure(Status::launch_failed, "exited_at_once",
                                  "the provider's process ended before it could take the turn");
  if (exit.kind == ExitStatus::Kind::exited) failure.provider_code(static_cast<std::uint32_t>(exit.value));
  throw failure;
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
        peer_.wait([&] { return over; });
      } catch (const RpcInterrupted& end) {
        again = end.why() == PumpEnd::cancelled;  // the request to stop that led here, used up now
      }
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): what does not stop is ended
  } catch (...) {
  }
}

}  // namespace attache::sdk
