// SPDX-License-Identifier: Apache-2.0
// Calls of the Agent Client Protocol and what their answers mean.
#pragma once

#include <string>

#include <attache/sdk/acp.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_access.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk::acp {

/// Parameters of `initialize`: no files, no terminals.
std::string initialize_params();
/// The agent of the reply. Throws Failure: what call_failure() gives, provider_failed `protocol_version`.
AcpAgent initialized(const RpcMessage& reply);
/// For a call that was answered with an error. What the agent said is never shown.
Failure call_failure(const RpcMessage& reply);

}  // namespace attache::sdk::acp
