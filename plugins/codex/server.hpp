// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <attache/sdk/request.hpp>
#include <attache/sdk/rpc_process.hpp>
#include <attache/sdk/scratch.hpp>

#include "limits.hpp"
#include "models.hpp"
#include "thread_call.hpp"

namespace attache::codex {

/// An app server, with what it told and the thread it has open: all that the next turn of that thread needs.
struct Server {
  std::optional<sdk::Scratch> scratch;       ///< its TMPDIR; stands first because it goes last
  std::unique_ptr<sdk::RpcProcess> process;  ///< null while a turn has it, and before it is started
  Version version{};
  std::vector<Model> models;  ///< empty: not asked for yet
  OpenedThread thread;
  bool raw_items = false;  ///< the thread was begun here, so that the server shows what it prepares

  /// It can take a further turn.
  bool waits() const noexcept { return process != nullptr && process->process().running(); }
};

/// What a server must have seen to take a turn in place of a new one: started for this workspace, and at the turn that
/// the checkpoint names. Another process may have gone on with the thread meanwhile.
std::string signature(std::string_view workspace, std::string_view checkpoint);

}  // namespace attache::codex
