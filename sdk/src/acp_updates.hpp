// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/json_rpc.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk::acp {

/// Turns what an agent sends during a turn into events of the run, and answers what it asks.
class Updates {
 public:
  Updates(Run& run, bool allow_permissions) : run_(run), allow_(allow_permissions) {}

  /// From now on updates of this session are the turn's; before, they replay an earlier one.
  void begin(std::string session) { session_ = std::move(session); }
  void take(const RpcMessage& notification);
  RpcAnswer answer(const RpcMessage& request);
  void noise();
  /// After the turn, with the result of session/prompt: usage.
  void settle(const std::string& result);
  /// Throws Failure (provider_failed, `answer_too_long`) when a part of the answer was too long to keep.
  void require_whole() const;

  std::uint64_t replayed() const noexcept { return replayed_; }
  /// A permission was refused.
  bool refused() const noexcept { return refused_; }

 private:
  using Json = nlohmann::ordered_json;
  void message(const Json& content, const Frame& frame, bool thought);
  void tool(const Json& update, const Frame& frame, bool fresh);
  void record(const Json& update, const Frame& frame);
  RpcAnswer permission(const RpcMessage& request);

  Run& run_;
  const bool allow_;
  std::string session_;
  std::set<std::string> called_, finished_;  ///< ids of tool calls
  std::string usage_;
  std::uint64_t replayed_ = 0;
  bool refused_ = false;
  bool answer_lost_ = false;
  bool noise_told_ = false;
};

}  // namespace attache::sdk::acp
