// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/json_rpc.hpp>
#include <attache/sdk/request.hpp>

#include "config.hpp"

namespace attache::codex {

/// A thread of the CLI that is ready for a turn.
struct OpenedThread {
  std::string id;
  std::string model;
  std::string rollout;  ///< the CLI's own record of it, where it keeps one
};

/// The thread's state after a turn. It names the turn too, so that a server that waits is known to be where the thread
/// is.
std::string checkpoint_of(const OpenedThread& thread, const std::string& turn);

/// How the thread of a turn is opened: a new one, an earlier one, or a fork of it.
class ThreadCall {
 public:
  /// Throws sdk::Failure: resume_rejected `checkpoint_invalid`, invalid `output_schema_invalid`,
  /// `codex_home_required`.
  ThreadCall(const Config& config, const sdk::Request& request);

  const char* method() const noexcept;
  /// `directory`: where its commands work.
  std::string params(const std::string& directory) const;
  /// Throws sdk::Failure: resume_rejected `unknown_session`; `other_session` when it is another one than was asked for.
  OpenedThread opened(const sdk::RpcMessage& reply) const;
  /// `items`: see TurnInput.
  std::string turn_params(const std::string& thread, const std::string& items) const;

  bool fresh() const noexcept { return thread_.empty(); }
  bool fork() const noexcept { return fork_; }
  /// The CLI keeps nothing of it: no checkpoint, and no copy of an input.
  bool ephemeral() const noexcept { return ephemeral_; }

 private:
  const Config& config_;
  std::string thread_;  ///< to go on from; empty: none
  std::string output_schema_;
  bool fork_;
  bool ephemeral_;
};

}  // namespace attache::codex
