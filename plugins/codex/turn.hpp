// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>
#include <attache/sdk/run.hpp>

#include "json_access.hpp"
#include "receipts.hpp"

namespace attache::codex {

/// Turns the app server's notifications into events of the run.
class Turn {
 public:
  Turn(const sdk::Request& request, sdk::Run& run) : run_(run), receipts_(request) {}

  /// Of these only what is about this turn counts. Raw items tell of tools where there are any; else items do.
  void begin(std::string thread, std::string turn, bool raw_items);
  void take(const sdk::RpcMessage& message);
  static sdk::RpcAnswer answer(const sdk::RpcMessage& request, sdk::Run& run);
  void noise();

  /// A user message as the CLI prepared it.
  void prepared(const Json& message, const sdk::Frame& frame) { receipts_.prepared(message, frame); }
  /// Whether the user message of this turn was shown.
  bool shown() const noexcept { return receipts_.shown(); }
  const std::string& id() const noexcept { return turn_; }
  bool over() const noexcept { return over_; }
  /// After the turn: receipts, usage, answer. Throws sdk::Failure for any turn that did not go well.
  void settle();

 private:
  bool is_ours(const Json& params) const;
  void raw_item(const Json& item, const sdk::Frame& frame);
  void raw_message(const Json& item, const sdk::Frame& frame);
  void raw_call(const Json& item, const std::string& type, const sdk::Frame& frame);
  void item(const Json& item, const sdk::Frame& frame);
  void delta(const Json& params, const sdk::Frame& frame);
  void whole_text(const std::string& id, const std::string& whole, const sdk::Frame& frame);
  void usage(const Json& last);
  void error(const Json& params);
  void completed(const Json& turn, const sdk::Frame& frame);

  sdk::Run& run_;
  Receipts receipts_;
  std::string thread_, turn_;
  bool raw_items_ = false;
  std::map<std::string, std::string> said_;  ///< what was streamed of each message
  std::optional<std::string> answer_;
  std::map<std::string, std::uint64_t> usage_;
  std::optional<sdk::Failure> failure_;
  std::string status_;
  bool over_ = false;
  bool noise_told_ = false;
  bool answer_lost_ = false;
};

}  // namespace attache::codex
