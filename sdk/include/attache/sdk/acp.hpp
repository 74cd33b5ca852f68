// SPDX-License-Identifier: Apache-2.0
// Agent Client Protocol, version 1: the client's side of one turn with an agent's process.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// The version this client speaks. \since 0.2
inline constexpr std::uint64_t kAcpVersion = 1;

/// What an agent said of itself in its answer to `initialize`. An absent flag is no.
/// \since 0.2
struct AcpAgent {
  std::uint64_t protocol = 0;
  std::string name;
  std::string version;
  bool image = false;
  bool audio = false;
  bool embedded_context = false;
  bool load_session = false;
  std::vector<std::string> auth_methods;  ///< ids
};

/// Reads the result of `initialize`, a JSON text. What is missing is empty. Any thread. \since 0.2
AcpAgent read_acp_agent(const std::string& initialized);

/// What a native input of this kind and type becomes. \since 0.2
enum class AcpBlock { none, image, audio, text_resource, blob_resource };
AcpBlock acp_block(Kind kind, std::string_view media_type) noexcept;
/// Whether the agent advertises it. An advertised block may still be lost inside of the agent. \since 0.2
bool acp_takes(const AcpAgent& agent, AcpBlock block) noexcept;

/// How an agent is talked to. \since 0.2
struct AcpOptions {
  std::string auth_method;         ///< for `authenticate` before a session is opened; empty: it is not called
  std::string mode;                ///< one that the agent offers; empty: its default
  std::string model;               ///< likewise
  bool allow_permissions = false;  ///< what session/request_permission is answered with: once; else it is refused
};

/// Refuses what no turn over ACP can carry; starts nothing. Throws Failure: invalid `fork_unsupported`,
/// `history_unsupported`, `output_schema_unsupported`, `options_unsupported`, `nothing_to_send`, `slash_command` (an
/// agent takes a prompt that is only or begins with a command as an order to itself), `exact_impossible`,
/// `text_not_utf8`; resume_rejected `checkpoint_invalid`. \since 0.2
void acp_admit(const Request& request);

/// One turn: initialize, authenticate, a session, its mode and model, session/prompt, and the agent's updates as events
/// of the run. Offers the agent neither files nor terminals. Inputs: the prompt's text first, then a block for each, in
/// order; a workspace reference is a `resource_link`. The bytes are streamed from their files. Tells the delivery
/// state: delivered once the pipe took the whole prompt. A run of a thread sets the checkpoint {"session":ID}.
///
/// `directory` is the session's, absolute. Calls acp_admit(). Throws Failure as RpcTurn does, and
///  - unsupported_kind `capability_missing`: the agent's own answer has no such block; nothing was sent of the turn;
///  - provider_failed `protocol_version`, `no_session`, `provider_error`, `max_tokens`, `max_turn_requests`,
///  `stop_reason_unknown`,
///    `interrupted`, `answer_too_long`;
///  - provider_refused `not_logged_in`, `auth_method_unknown`, `mode_unknown`, `model_unknown`, `call_refused`,
///  `refusal`, `permission_refused`;
///  - resume_rejected `resume_unsupported`, `unknown_session`: also when the agent opened an empty session in its
///  place.
/// \since 0.2
void run_acp_turn(const Request& request, Run& run, const SpawnOptions& spawn, const std::string& directory,
                  const AcpOptions& options);

/// Starts the agent for an `initialize` and ends it; delivers nothing. Throws Failure: launch_failed, provider_failed
/// (`ended_early`, `call_refused`, `protocol_version`), timeout `deadline`. \since 0.2
AcpAgent ask_acp_agent(const SpawnOptions& spawn, std::chrono::milliseconds patience);

}  // namespace attache::sdk
