// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <limits>

#include <poll.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

#include "process_table_posix.hpp"

namespace attache::sdk {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLimit{10'000};
constexpr milliseconds kShortestPause{1};
constexpr milliseconds kLongestPause{50};

bool is_there(const ProcessGroup& group) noexcept {
  if (group.id <= 1 || group.id > std::numeric_limits<pid_t>::max() || group.start_time == 0) return false;
  const auto leader = static_cast<pid_t>(group.id);
  if (leader == ::getpgrp() || leader == ::getpid()) return false;
  const auto found = identify(leader);
  return found && found->group == leader && found->start_time == group.start_time && found->user == ::geteuid();
}

}  // namespace

OrphanEnd end_orphan(const ProcessGroup& group) noexcept {
  if (!is_there(group)) return OrphanEnd::gone;
  const auto number = static_cast<pid_t>(group.id);
  // At once for all of it: with the leader gone nobody could tell any more whose the number is.
  ::kill(-number, SIGKILL);
  const auto until = Clock::now() + kLimit;
  for (milliseconds pause = kShortestPause; group_is_alive(number, false); pause = std::min(pause * 2, kLongestPause)) {
    if (Clock::now() >= until) return OrphanEnd::survived;
    ::poll(nullptr, 0, static_cast<int>(pause.count()));
  }
  return OrphanEnd::ended;
}

}  // namespace attache::sdk
