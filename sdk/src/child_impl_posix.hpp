// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <attache/sdk/child_process.hpp>

#include "descriptor_posix.hpp"
#include "leader_posix.hpp"

namespace attache::sdk {

struct ChildProcess::Impl {
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kChunk = std::size_t{256} * 1024;

  /// The parent's ends, which do not block.
  struct Pipes {
    Descriptor input;
    Descriptor output;
    Descriptor error;
    Descriptor stop;  // eventfd of request_stop()
  };

  Impl(pid_t pid, Pipes ends) noexcept : leader(pid), pipes(std::move(ends)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { end(std::chrono::milliseconds{0}); }

  // Input, in child_process_posix.cpp.
  bool has_to_write() const noexcept { return pipes.input && begin < fill; }
  bool unfinished() const noexcept { return source != nullptr || begin < fill; }
  void refill();
  void write_some();
  void break_input() noexcept;

  // The end, in child_end_posix.cpp.
  ExitStatus end(std::chrono::milliseconds grace) noexcept;
  bool wait_until(const std::function<bool()>& condition, std::chrono::milliseconds limit) noexcept;

  Leader leader;
  Pipes pipes;
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<char[]> write_buffer;
  std::unique_ptr<char[]> read_buffer;
  std::size_t begin = 0;  // what is still to be written of the write buffer
  std::size_t fill = 0;
  WriteState write_state;
  bool close_requested = false;
  bool ended = false;
  ExitStatus status;
};

/// Writes without ever raising SIGPIPE in this process. As write(2).
ssize_t write_quietly(int descriptor, std::span<const char> bytes) noexcept;

/// Reads and drops up to one buffer; closes the descriptor at the end of the stream. True when bytes came.
bool drop_some(Descriptor& descriptor) noexcept;

}  // namespace attache::sdk
