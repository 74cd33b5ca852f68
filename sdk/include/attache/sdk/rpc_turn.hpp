// SPDX-License-Identifier: Apache-2.0
// One turn with a provider process that speaks JSON-RPC: handshake, the turn, every ending told truthfully.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <attache/sdk/json_rpc.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// \since 0.2
struct RpcTurnOptions {
  RpcOptions rpc;
  std::chrono::milliseconds exit_grace{2000};      ///< for the process to leave by itself after a good turn
  std::chrono::milliseconds stop_grace{250};       ///< for each step of ending it in any other case
  std::chrono::milliseconds interrupt_grace{500};  ///< for the provider to end a turn that is told to stop
};

/// How a provider is told to stop a turn, so that it ends what the turn started.
/// \since 0.2
struct RpcStop {
  std::string method;
  std::string params = "{}";
  bool notification = false;
  std::string over;  ///< the notification that then ends the turn; empty: the reply to deliver()'s message does
};

/// The process of one run. Tells the run's delivery state: not_delivered before the start, indeterminate before the
/// first byte of deliver()'s message, delivered when the pipe took its last one; what is called before that is no part
/// of the turn. Follows the request's deadline and idle limit and the run's cancellation.
///
/// Besides what the handlers throw, every function throws Failure as run_process_turn() does: launch_failed
/// (`exited_at_once` as long as nothing of the turn was written), provider_failed (`no_result`, `frame_too_long`),
/// timeout, cancelled, contract. The process group is gone when the object is.
/// \since 0.2
class RpcTurn {
 public:
  /// Starts the process. Throws also what require_declared() throws, before anything is started.
  RpcTurn(const Request& request, Run& run, const SpawnOptions& spawn, RpcHandlers handlers,
          const RpcTurnOptions& options = {});
  RpcTurn(const RpcTurn&) = delete;
  RpcTurn& operator=(const RpcTurn&) = delete;
  ~RpcTurn();

  void notify(std::string_view method, std::string_view params = {}) { peer_.notify(method, params); }
  RpcMessage call(std::string_view method, std::string_view params = "{}");
  /// Queues a call whose reply reply_to() waits for.
  std::uint64_t post(std::string_view method, std::string_view params = "{}");
  RpcMessage reply_to(std::uint64_t number);
  /// The message that carries the turn; slots of `payload` are the request's inputs as `slots` lists them (empty: all,
  /// in order). Waits for its reply.
  RpcMessage deliver(std::string_view method, std::string_view params, JsonFrame payload,
                     const std::vector<std::uint32_t>& slots = {});
  /// What is sent when the turn has to be stopped while something is waited for.
  void on_stop(std::optional<RpcStop> stop) { stop_ = std::move(stop); }
  void wait(const std::function<bool()>& done);
  /// Ends the process after a good turn. Throws `turn_not_read` when it gave its result without reading the turn.
  ExitStatus finish();

 private:
  template <class Body>
  auto guarded(const Body& body);
  [[noreturn]] void interrupted(PumpEnd why);
  void stop_turn() noexcept;

  const Request& request_;
  Run& run_;
  const RpcTurnOptions options_;
  ChildProcess process_;
  RpcPeer peer_;
  const std::stop_callback<std::function<void()>> on_cancel_;
  std::optional<RpcStop> stop_;
  std::vector<std::uint32_t> slots_;
  std::uint64_t turn_number_ = 0;  ///< of deliver()'s call
  bool announced_ = false;
  bool delivered_ = false;
  bool ended_ = false;
};

}  // namespace attache::sdk
