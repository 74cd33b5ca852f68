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
      process_(std::make_unique<RpcProcess>(start_provider(request, run, spawn), std::move(handlers), options.rpc)),
      on_cancel_(std::in_place, run.stop_token(), [this] { process_->process().request_stop(); }) {
  process_->peer().set_limits(limits_of(request));
}

RpcTurn::RpcTurn(const Request& request, Run& run, std::unique_ptr<RpcProcess> resident, RpcHandlers handlers,
                 const RpcTurnOptions& options)
    : request_(request), run_(run), options_(options), process_(std::move(resident)) {
  join_provider(request, run, process_->process());
  process_->peer().set_handlers(std::move(handlers));
  process_->peer().set_limits(limits_of(request));
  on_cancel_.emplace(run.stop_token(), [this] { process_->process().request_stop(); });
}

RpcTurn::~RpcTurn() {
  if (!std::exchange(ended_, true)) {
    stop_turn();
    process_->process().end(options_.stop_grace);
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
  return process_->peer().post({std::string(method), std::string(params)});
}

RpcMessage RpcTurn::reply_to(std::uint64_t number) {
  wait([&] { return process_->peer().replied(number); });
  return process_->peer().take_reply(number);
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
  return reply_to(process_->peer().post(std::move(call)));
}

void RpcTurn::wait(const std::function<bool()>& done) {
  guarded([&] { process_->peer().wait(done); });
}

ExitStatus RpcTurn::finish() {
  ended_ = true;
  const ExitStatus exit = process_->process().end(options_.exit_grace);
  if (!delivered_) throw turn_not_read();
  return exit;
}

std::unique_ptr<RpcProcess> RpcTurn::release() {
  on_cancel_.reset();  // from here on nothing stops the process for this run
  if (!delivered_ || run_.stop_token().stop_requested() || !process_->peer().idle()) {
    finish();
    return nullptr;
  }
  ended_ = true;
  process_->peer().set_handlers({});
  process_->peer().set_limits({});
  return std::move(process_);
}

void RpcTurn::interrupted(PumpEnd why) {
  throw_if_stopped(why);
  stop_.reset();
  ended_ = true;
  throw no_result(announced_, process_->process().end(options_.stop_grace));
}

/// Nothing is reported any more: the run may be over for the host.
void RpcTurn::stop_turn() noexcept {
  RpcPeer& peer = process_->peer();
  if (!stop_ || !delivered_ || !peer.idle()) return;
  try {
    bool over = false;
    RpcHandlers deaf;
    deaf.on_notification = [&](const RpcMessage& message) { over = over || message.method == stop_->over; };
    peer.set_handlers(deaf);
    ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + options_.interrupt_grace;
    peer.set_limits(limits);
    if (stop_->notification) {
      peer.notify(stop_->method, stop_->params);
    } else {
      peer.post({stop_->method, stop_->params});
    }
    for (bool again = true; again;) {
      again = false;
      try {
        peer.wait([&] { return over; });
      } catch (const RpcInterrupted& end) {
        again = end.why() == PumpEnd::cancelled;  // the request to stop that led here, used up now
      }
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): what does not stop is ended
  } catch (...) {
  }
}

}  // namespace attache::sdk
