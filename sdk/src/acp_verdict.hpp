// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk::acp {

/// What the reply to session/prompt means; nothing: the turn went well. `permission_refused`: so it was, in this turn.
/// What the agent said is read for a status and never shown.
std::optional<Failure> turn_failure(const RpcMessage& reply, bool permission_refused);

}  // namespace attache::sdk::acp
