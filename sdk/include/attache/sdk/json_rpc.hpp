// SPDX-License-Identifier: Apache-2.0
// JSON-RPC in both directions with a child process, one message a line.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/json_lines.hpp>

namespace attache::sdk {

/// A message of the other side.
/// \since 0.2
struct RpcMessage {
  std::string method;  ///< empty in a reply
  std::string id;      ///< as JSON text; empty in a notification
  std::string body;    ///< params, result or error as JSON text; "null" where there is none
  bool error = false;  ///< the reply is an error; `body` then has code and message
  Frame frame;         ///< the whole line; find() knows the long strings of `body`
};

/// What a request of the other side is answered with.
/// \since 0.2
struct RpcAnswer {
  std::string result;  ///< JSON text; empty: the error
  std::int32_t code = -32601;
  std::string message = "not supported by this client";
};

/// \since 0.2
struct RpcHandlers {
  std::function<void(const RpcMessage&)> on_notification;
  /// Without it every request gets the error of an empty RpcAnswer.
  std::function<RpcAnswer(const RpcMessage&)> on_request;
  std::function<void(std::string_view)> on_stderr;  ///< as it comes; not necessarily UTF-8
  std::function<void()> on_noise;                   ///< a line that is no message, or a reply that nobody waits for
};

/// \since 0.2
struct RpcOptions {
  JsonLines::Limits lines;
  bool version_member = true;  ///< false: no "jsonrpc":"2.0" in what is sent
};

/// A call to be made: parameters as JSON text in one line, with the markers of `payload` where files go.
/// \since 0.2
struct RpcCall {
  std::string method;
  std::string params = "{}";
  JsonFrame payload = {};
  std::function<void()> on_first_byte = {};  ///< just before the first byte of the message leaves
  std::function<void()> on_written = {};     ///< once the pipe took the last one
};

/// The process ended, was silent or out of time, or request_stop() was called, before what was waited for came.
/// \since 0.2
class RpcInterrupted : public std::runtime_error {
 public:
  explicit RpcInterrupted(PumpEnd why) : std::runtime_error("the peer did not answer"), why_(why) {}
  PumpEnd why() const noexcept { return why_; }

 private:
  PumpEnd why_;
};

/// The client's side of the conversation. One thread uses it; messages leave in the order they were given and only
/// while something is waited for. Exceptions of handlers and of payloads pass through the waiting call.
/// \since 0.2
class RpcPeer {
 public:
  /// The process and what the handlers use must outlive it.
  RpcPeer(ChildProcess& process, RpcHandlers handlers, const RpcOptions& options = {});
  RpcPeer(const RpcPeer&) = delete;
  RpcPeer& operator=(const RpcPeer&) = delete;

  /// Total and idle limit of every wait from now on.
  void set_limits(const ChildProcess::Limits& limits) { limits_ = limits; }
  void set_handlers(RpcHandlers handlers) { handlers_ = std::move(handlers); }

  void notify(std::string_view method, std::string_view params = {});
  /// Queues a call; its number is for replied() and take_reply(). Throws std::invalid_argument for a marker that does
  /// not stand in the parameters exactly once.
  std::uint64_t post(RpcCall call);
  bool replied(std::uint64_t number) const { return replies_.count(number) != 0; }
  RpcMessage take_reply(std::uint64_t number);
  /// post() and wait for the reply.
  RpcMessage call(std::string_view method, std::string_view params = "{}");
  /// Writes and reads until `done` says so; it is asked after every message. Throws RpcInterrupted, what the handlers
  /// throw, FrameError, and Failure (provider_failed, `frame_too_long`).
  void wait(const std::function<bool()>& done);
  /// Whether all that was queued is written.
  bool idle() const noexcept { return !writing_ && queue_.empty(); }

 private:
  struct Outgoing {
    JsonFrame frame;
    std::function<void()> on_first_byte, on_written;
  };
  class Source;
  void queue(std::string document, RpcCall call);
  void write_next();
  bool written(const WriteState& state);
  void take(Frame& frame);
  void answer(const RpcMessage& request);
  void finish(PumpEnd end, const std::function<bool()>& done);

  ChildProcess& process_;
  RpcHandlers handlers_;
  const RpcOptions options_;
  ChildProcess::Limits limits_;
  JsonLines lines_;
  std::deque<Outgoing> queue_;
  std::function<void()> on_written_;  ///< of the message that is being written
  bool writing_ = false;
  bool broken_ = false;
  std::uint64_t last_number_ = 0;
  std::set<std::uint64_t> waiting_;
  std::map<std::uint64_t, RpcMessage> replies_;
};

}  // namespace attache::sdk
