// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <attache/sdk/acp.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk::acp {

/// The session that a checkpoint names; empty: none. Throws Failure (resume_rejected, `checkpoint_invalid`).
std::string session_of(std::string_view checkpoint);

/// What a session is opened with.
struct SessionPlan {
  std::string resumed;  ///< to go on with; empty: a new one
  std::string directory;
  const AcpOptions& options;
};

/// How calls are made, and how many messages the agent has replayed of the session so far.
struct SessionCalls {
  std::function<RpcMessage(const char* method, const std::string& params)> call;
  std::function<std::uint64_t()> replayed;
};

/// Authenticates, opens the session, sets mode and model; the session's id. Throws Failure as run_acp_turn() says.
std::string open_session(const AcpAgent& agent, const SessionPlan& plan, const SessionCalls& calls);

}  // namespace attache::sdk::acp
