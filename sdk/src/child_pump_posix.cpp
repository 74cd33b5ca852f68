// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "child_impl_posix.hpp"

namespace attache::sdk {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Between two looks at a leader that no descriptor tells about.
constexpr milliseconds kLookAgain{20};

using Handler = std::function<bool(std::string_view)>;

std::size_t available(const Descriptor& descriptor) {
  int count = 0;
  if (!descriptor || ::ioctl(descriptor.get(), FIONREAD, &count) != 0) return 0;
  return static_cast<std::size_t>(count);
}

}  // namespace

/// One call of pump().
struct ChildProcess::Pump {
  enum { kStop, kOutput, kError, kInput, kLeader, kCount };

  Impl& child;
  const Handlers& handlers;
  const Limits& limits;
  Clock::time_point last_moved = Clock::now();
  // Since when only one is left: the process, or an output that something else holds.
  std::optional<Clock::time_point> ending = std::nullopt;
  bool gone = false;
  bool stopped = false;
  std::array<bool, kCount> ready{};

  bool outputs_open() const { return child.pipes.output || child.pipes.error; }

  PumpEnd run() {
    if (!child.read_buffer) child.read_buffer = std::make_unique_for_overwrite<char[]>(Impl::kChunk);
    for (;;) {
      if (!child.has_to_write() && child.source) start_source();
      if (stopped) return PumpEnd::stopped;
      if (gone && !outputs_open()) return exited();
      wait();
      if (ready[kStop] && take_stop()) return PumpEnd::cancelled;
      if (ready[kOutput]) read_some(child.pipes.output, handlers.on_stdout, Impl::kChunk);
      if (ready[kError] && !stopped) read_some(child.pipes.error, handlers.on_stderr, Impl::kChunk);
      if (ready[kInput] && !stopped) write();
      if (stopped) return PumpEnd::stopped;
      if (!gone) gone = ready[kLeader] || (child.leader.descriptor() < 0 && child.leader.gone());
      if (const auto end = limit_passed(Clock::now())) return *end;
    }
  }

  std::optional<PumpEnd> limit_passed(Clock::time_point now) {
    if (gone && !outputs_open()) return std::nullopt;
    if (limits.deadline && now >= *limits.deadline) return PumpEnd::deadline;
    if (gone != outputs_open()) {
      ending.reset();
    } else if (!ending) {
      ending = now;
    }
    if (ending && now - *ending >= limits.end_grace) {
      if (!gone) return PumpEnd::outputs_closed;
      drain(child.pipes.output, handlers.on_stdout);
      drain(child.pipes.error, handlers.on_stderr);
      return stopped ? PumpEnd::stopped : exited();
    }
    if (limits.idle && now - last_moved >= *limits.idle) return PumpEnd::idle;
    return std::nullopt;
  }

  PumpEnd exited() {
    child.break_input();
    return PumpEnd::exited;
  }

  void wait() {
    std::array<pollfd, kCount> set{};
    set[kStop] = {child.pipes.stop.get(), POLLIN, 0};
    set[kOutput] = {child.pipes.output.get(), POLLIN, 0};
    set[kError] = {child.pipes.error.get(), POLLIN, 0};
    set[kInput] = {child.has_to_write() ? child.pipes.input.get() : -1, POLLOUT, 0};
    set[kLeader] = {gone ? -1 : child.leader.descriptor(), POLLIN, 0};
    if (::poll(set.data(), set.size(), timeout()) < 0) set = {};
    for (std::size_t i = 0; i < kCount; ++i) ready[i] = set[i].revents != 0;
  }

  int timeout() const {
    auto until = Clock::time_point::max();
    if (limits.deadline) until = std::min(until, *limits.deadline);
    if (limits.idle) until = std::min(until, last_moved + *limits.idle);
    if (ending) until = std::min(until, *ending + limits.end_grace);
    const auto now = Clock::now();
    if (!gone && child.leader.descriptor() < 0) until = std::min(until, now + kLookAgain);
    if (until == Clock::time_point::max()) return -1;
    constexpr milliseconds longest{std::numeric_limits<int>::max()};
    const auto left = std::max(Clock::duration::zero(), until - now);
    return static_cast<int>(std::min(std::chrono::ceil<milliseconds>(left), longest).count());
  }

  bool take_stop() {
    std::uint64_t count = 0;
    return ::read(child.pipes.stop.get(), &count, sizeof count) == sizeof count;
  }

  std::size_t read_some(Descriptor& from, const Handler& handler, std::size_t most) {
    const ssize_t count = ::read(from.get(), child.read_buffer.get(), std::min(most, Impl::kChunk));
    if (count <= 0) {
      if (count == 0 || (errno != EAGAIN && errno != EINTR)) from.reset();
      return 0;
    }
    const auto length = static_cast<std::size_t>(count);
    if (handler && !handler({child.read_buffer.get(), length})) stopped = true;
    last_moved = Clock::now();
    return length;
  }

  // Hands on what stands in the pipe now, which includes all that the process wrote before it went.
  void drain(Descriptor& from, const Handler& handler) {
    std::size_t left = available(from);
    while (left != 0 && !stopped) {
      const std::size_t count = read_some(from, handler, left);
      if (count == 0) break;
      left -= count;
    }
  }

  void start_source() {
    child.refill();
    if (child.write_state.complete) tell();
  }

  void write() {
    const WriteState before = child.write_state;
    child.write_some();
    const WriteState& after = child.write_state;
    const bool moved = after.written != before.written;
    if (moved || after.broken) tell();
    if (moved) last_moved = Clock::now();
  }

  void tell() {
    if (handlers.on_written && !handlers.on_written(child.write_state)) stopped = true;
  }
};

PumpEnd ChildProcess::pump(const Handlers& handlers, const Limits& limits) {
  return Pump{*impl_, handlers, limits}.run();
}

}  // namespace attache::sdk
