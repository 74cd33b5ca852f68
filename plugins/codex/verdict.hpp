// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>

#include "json_access.hpp"

namespace attache::codex {

/// The failure for a turn's error, as `turn/completed` and the final `error` notification carry it. What the provider
/// said is read for known beginnings and never shown.
sdk::Failure turn_failure(const Json& error);

/// The failure for a call that the CLI refused.
sdk::Failure call_failure(const sdk::RpcMessage& reply);

/// Whether the CLI says that it does not have the thread.
bool is_unknown_thread(const sdk::RpcMessage& reply);

}  // namespace attache::codex
