// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace attache::sdk {

/// True when a living process is in the group. Processes that have ended and only wait to be reaped do not
/// count. `leader_reaped`: nobody holds the leader's number any more, so the group may be somebody else's by
/// now: then true only when no process has that number and a member is of this process's session.
/// False when the process table cannot be read.
bool group_is_alive(pid_t group, bool leader_reaped) noexcept;

}  // namespace attache::sdk
