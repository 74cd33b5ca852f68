// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace attache::sdk {

/// True when a living process is in the group. Processes that have ended and only wait to be reaped do not
/// count. `leader_reaped`: nobody holds the leader's number any more, so the group may be somebody else's by
/// now: then true only when no process has that number and a member is of this process's session.
/// False when the process table cannot be read.
bool group_is_alive(pid_t group, bool leader_reaped) noexcept;

/// What tells a process from others. The user is empty when real and effective one differ.
struct ProcessIdentity {
  pid_t group = 0;
  std::uint64_t start_time = 0;
  std::optional<uid_t> user;
};

/// Nothing when there is no such process or the table cannot be read.
std::optional<ProcessIdentity> identify(pid_t process) noexcept;

}  // namespace attache::sdk
