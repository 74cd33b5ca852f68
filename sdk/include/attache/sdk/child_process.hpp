// SPDX-License-Identifier: Apache-2.0
// A child process and the one loop that talks to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attache::sdk {

/// Why a process could not be started. `reason` is a stable slug: executable_not_found, not_executable,
/// working_directory, argument_too_long, invalid_string (a zero byte inside), resources. The text names no path.
/// \since 0.1
class SpawnError : public std::runtime_error {
 public:
  SpawnError(std::string reason, int system_error);
  const std::string& reason() const noexcept { return reason_; }
  int system_error() const noexcept { return system_error_; }

 private:
  std::string reason_;
  int system_error_;
};

/// What to start. Every string is passed as it is: no shell, no expansion.
/// \since 0.1
struct SpawnOptions {
  std::string executable;                ///< a path with a separator; see find_executable()
  std::vector<std::string> arguments;    ///< argv[1] and on; argv[0] is the executable's last component
  std::vector<std::string> environment;  ///< "NAME=value"; the complete environment of the child
  std::string working_directory;         ///< empty: the host's own
};

/// How a process ended. `unknown`: the host reaps children itself (SIGCHLD ignored), so nobody can know.
/// \since 0.1
struct ExitStatus {
  enum class Kind { exited, signalled, unknown } kind = Kind::unknown;
  int value = 0;  ///< exit code or signal number
  bool success() const noexcept { return kind == Kind::exited && value == 0; }
};

/// A process group, told from later ones of the same number by when its leader started.
/// \since 0.2
struct ProcessGroup {
  std::int64_t id = 0;           ///< the leader's process number too; above 1
  std::uint64_t start_time = 0;  ///< of the leader: field 22 of /proc/<id>/stat, clock ticks since boot; 0: unknown
};

/// Whether end_orphan() reached its aim.
/// \since 0.2
enum class OrphanEnd {
  gone,      ///< the leader is not there (any more); nothing was done
  ended,     ///< the group was killed, and nothing of it lives
  survived,  ///< it was killed, but something of it still lives after ten seconds
};

/// Kills a group that a process which is gone has left, but only while its leader is there with that start time,
/// leads that group and belongs to this process's user (real and effective). A leader that has ended but is not
/// reaped yet counts as there. Never this process's own group. Any thread.
/// \since 0.2
OrphanEnd end_orphan(const ProcessGroup& group) noexcept;

/// Bytes to be written to a child's standard input, produced piece by piece. read() fills at most
/// `buffer.size()` bytes and returns how many; 0 means the end. It may throw: pump() drops the source, leaves
/// WriteState incomplete and lets the exception pass.
/// \since 0.1
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(std::span<char> buffer) = 0;
};

/// Why pump() returned.
/// \since 0.1
enum class PumpEnd {
  stopped,         ///< a handler asked for it
  exited,          ///< the process is gone, and both outputs reached their end, or something it started holds them
                   ///< open: then after the end grace and after all that it wrote itself was handed on
  outputs_closed,  ///< both outputs ended, but the process still lives after the end grace
  cancelled,       ///< request_stop() was called
  deadline,        ///< the total limit passed
  idle,            ///< no byte moved in either direction for the idle limit
};

/// What happened to the bytes of the latest send().
/// \since 0.1
struct WriteState {
  std::uint64_t written = 0;  ///< bytes the pipe has taken
  bool complete = false;      ///< the source reached its end and all of it was taken
  bool broken = false;        ///< the child closed its standard input, went or was ended before that
};

/// A started process, leader of its own process group, with pipes on its three standard streams.
///
/// Nothing of the host leaks into it: descriptors above 2 are closed, signal mask and dispositions are the
/// defaults. SIGPIPE never reaches the host. Right also when the host ignores SIGCHLD or reaps by itself.
/// One thread uses it; request_stop() may be called from any thread at any time.
/// \since 0.1
class ChildProcess {
 public:
  /// Throws SpawnError. When it throws nothing was started.
  static ChildProcess spawn(const SpawnOptions& options);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  /// Ends the group at once (KILL) and reaps, unless end() was called.
  ~ChildProcess();

  std::int64_t pid() const noexcept;
  /// Its group, for Run::process_group(). \since 0.2
  ProcessGroup group() const noexcept;
  /// Whether the leader still runs, as far as can be known at this moment. \since 0.2
  bool running() const noexcept;

  /// Queues bytes for standard input; pump() writes them. One source at a time: replaces nothing, throws
  /// std::logic_error while an earlier one is unfinished and after close_input() or end(). Is `broken` at once
  /// when the child is known to have closed its input.
  void send(std::unique_ptr<ByteSource> source);
  /// Closes standard input, once what was queued is written (at once when it broke). Idempotent.
  void close_input();
  WriteState write_state() const noexcept;

  /// Handlers get each chunk as read (at most 256 KiB), on the calling thread, and return false to stop.
  /// `on_written` is told after each write, and when the source proves empty or the input broken.
  struct Handlers {
    std::function<bool(std::string_view)> on_stdout;
    std::function<bool(std::string_view)> on_stderr;
    std::function<bool(const WriteState&)> on_written;
  };
  struct Limits {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::optional<std::chrono::milliseconds> idle;
    /// From the end of both outputs to `outputs_closed`; from the end of the process to `exited` with an output
    /// that something else holds open.
    std::chrono::milliseconds end_grace{2000};
  };
  /// Reads and writes at the same time until one of PumpEnd. A child that does not read its input does not
  /// keep its output from being read, and the other way round. A child that closes its input is still listened
  /// to. May be called again after every PumpEnd and after an exception of a handler or source; limits and grace
  /// then begin anew. The time a handler takes does not count as idle.
  PumpEnd pump(const Handlers& handlers, const Limits& limits);

  /// [any thread] Makes pump() return `cancelled`, the next one if none runs, and shortens nothing else. The
  /// return uses the request up. Safe after the process is gone, while the object lives and is not moved.
  void request_stop() noexcept;

  /// Ends the process: close input, wait `grace` for the leader; TERM to what lives of the group, wait `grace`
  /// for all of it; KILL to the group. Output is drained and dropped meanwhile. Always ends the group, also when
  /// the leader left on its own, before the leader is reaped. Returns the leader's status. Idempotent. Does not
  /// reach a process that has left the group (setsid).
  ExitStatus end(std::chrono::milliseconds grace);

 private:
  struct Impl;
  struct Pump;
  explicit ChildProcess(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// The path of an executable: `name` itself when it has a separator (made absolute), else the first match in
/// `search_path` (colon-separated; empty and relative entries are skipped, never the current directory). Empty:
/// none.
/// \since 0.1
std::string find_executable(std::string_view name, std::string_view search_path);

}  // namespace attache::sdk
