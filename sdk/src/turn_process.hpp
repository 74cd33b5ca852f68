// SPDX-License-Identifier: Apache-2.0
// What every turn with a provider's process has in common, whatever it speaks.
#pragma once

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// Says not_delivered, refuses what is not declared, starts the process and notes its group. Throws Failure: what
/// require_declared() throws, cancelled, launch_failed.
ChildProcess start_provider(const Request& request, Run& run, const SpawnOptions& options);

/// The same for a process that an earlier turn left. Throws also `exited_at_once` when it is gone.
void join_provider(const Request& request, Run& run, ChildProcess& process);

/// The request's deadline and idle limit, from now on.
ChildProcess::Limits limits_of(const Request& request);

/// For an end of pump() that stops the turn: throws Failure (cancelled, timeout). Nothing for the others.
void throw_if_stopped(PumpEnd end);

/// The process ended without a result; `announced`: once the turn had begun to leave.
Failure no_result(bool announced, const ExitStatus& exit);

/// It told a result, but had not read the turn.
Failure turn_not_read();

}  // namespace attache::sdk
