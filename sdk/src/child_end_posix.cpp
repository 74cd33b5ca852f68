// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

#include "child_impl_posix.hpp"

namespace attache::sdk {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestPause{1};
constexpr milliseconds kLongestPause{50};
// How long killed processes may take to go; one that hangs in the kernel for longer is left behind.
constexpr milliseconds kKillLimit{10'000};

}  // namespace

bool drop_some(Descriptor& descriptor) noexcept {
  std::array<char, std::size_t{64} * 1024> buffer;
  const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) descriptor.reset();
  return count > 0;
}

// Drops the output meanwhile.
bool ChildProcess::Impl::wait_until(const std::function<bool()>& condition, milliseconds limit) noexcept {
  const auto until = Clock::now() + limit;
  milliseconds pause = kShortestPause;
  while (!condition()) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left <= milliseconds{0}) return false;
    // The descriptor tells of the leader only; its group, and a leader without one, must be looked at.
    const bool told = leader.descriptor() >= 0 && !leader.gone();
    std::array<pollfd, 3> watched{pollfd{pipes.output.get(), POLLIN, 0}, pollfd{pipes.error.get(), POLLIN, 0},
                                  pollfd{told ? leader.descriptor() : -1, POLLIN, 0}};
    const milliseconds nap = told ? std::min(left, kKillLimit) : std::min(left, pause);
    ::poll(watched.data(), watched.size(), static_cast<int>(nap.count()));
    if (watched[0].revents != 0) drop_some(pipes.output);
    if (watched[1].revents != 0) drop_some(pipes.error);
    pause = std::min(pause * 2, kLongestPause);
  }
  return true;
}

ExitStatus ChildProcess::Impl::end(milliseconds grace) noexcept {
  if (ended) return status;
  ended = true;
  close_requested = true;
  break_input();
  const auto all_gone = [this] { return !leader.group_alive(); };
  const bool left = wait_until([this] { return leader.gone(); }, grace);
  // Sent before the leader is reaped: its number keeps the group's from being given to somebody else. When nobody but
  // the leader was in the group it reaches nobody.
  leader.signal_group(SIGTERM);
  leader.signal_group(SIGCONT);
  if (left) status = leader.reap();
  wait_until(all_gone, grace);
  leader.signal_group(SIGKILL);
  wait_until(all_gone, kKillLimit);
  if (!left) status = leader.reap();
  pipes.output.reset();
  pipes.error.reset();
  write_buffer.reset();
  read_buffer.reset();
  return status;
}

}  // namespace attache::sdk
