// SPDX-License-Identifier: Apache-2.0
// The kernel's own count of processes started and connections made by a driver.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attache::conformance {

/// What the worker and everything it started asked the kernel for. A refused call counts like a granted one.
struct WatchCounts {
  std::uint64_t executions = 0;  ///< execve, execveat
  std::uint64_t processes = 0;   ///< fork, vfork, clone (threads do not count)
  std::uint64_t connections =
      0;  ///< connect, datagrams and fast-open to an address; the name cache's socket does not count
  std::uint64_t foreign = 0;  ///< ways around the count: calls of another architecture, io_uring

  bool none() const noexcept { return executions + processes + connections + foreign == 0; }
  friend WatchCounts operator-(const WatchCounts& a, const WatchCounts& b) noexcept {
    return {a.executions - b.executions, a.processes - b.processes, a.connections - b.connections,
            a.foreign - b.foreign};
  }
};

/// Where a call wanted to go.
struct WatchDestination {
  enum class Family { internet, local, kernel, other } family = Family::other;  ///< kernel: netlink
  std::string address;     ///< internet: numeric; local: the socket's path, "@" before an abstract one
  std::uint16_t port = 0;  ///< internet
  friend bool operator==(const WatchDestination&, const WatchDestination&) = default;
};

/// The worker's view of its supervisor.
class Watch {
 public:
  /// False: the kernel refused the filter, and nothing may be concluded from counts().
  bool active() const noexcept;
  /// Exact: a call is counted before the kernel carries it out.
  WatchCounts counts() const noexcept;
  /// Distinct destinations of the connections counted, in the order they were first asked for. The address is read when
  /// the call is made; a process with threads could still exchange it, so this is a finding, not a wall.
  std::vector<WatchDestination> destinations() const;
  /// There were more than could be kept, or one could not be read: destinations() is not the whole truth.
  bool destinations_lost() const noexcept;
  /// Processes that live below the worker, those it left behind included; also its unreaped ones.
  std::vector<std::int64_t> descendants() const;

  struct Page;
  explicit Watch(const Page* page) noexcept : page_(page) {}

 private:
  const Page* page_;
};

/// How a supervised worker ended.
struct WorkerEnd {
  enum class Kind { exited, signalled, timed_out } kind = Kind::exited;
  int value = 0;  ///< exit code or signal number
};

/// Runs `body` in a worker process under a seccomp user-notification filter, counts from outside, and ends
/// everything below when the worker has ended or `limit` is over. The calling process must have one thread. Throws
/// std::system_error when no worker can be started; a refused filter is told by Watch::active().
WorkerEnd supervise(std::chrono::milliseconds limit, const std::function<int(const Watch&)>& body);

}  // namespace attache::conformance
