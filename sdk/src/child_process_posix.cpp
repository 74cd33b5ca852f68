// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <utility>

#include <pthread.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

#include "child_impl_posix.hpp"

namespace attache::sdk {

ssize_t write_quietly(int descriptor, std::span<const char> bytes) noexcept {
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigemptyset(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  sigpending(&pending);
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const int error = errno;
  // One that was pending before belongs to the host; signals of a kind do not add up.
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once{};
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

void ChildProcess::Impl::break_input() noexcept {
  if (unfinished()) write_state.broken = true;
  source.reset();
  begin = 0;
  fill = 0;
  pipes.input.reset();
}

// Gets the next bytes from the source, and learns of its end as soon as its last byte is taken.
void ChildProcess::Impl::refill() {
  if (!source || begin < fill) return;
  if (!write_buffer) write_buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  begin = 0;
  fill = 0;
  try {
    fill = source->read({write_buffer.get(), kChunk});
  } catch (...) {
    source.reset();
    throw;
  }
  if (fill != 0) return;
  write_state.complete = true;
  source.reset();
  write_buffer.reset();
  if (close_requested) pipes.input.reset();
}

void ChildProcess::Impl::write_some() {
  const ssize_t written = write_quietly(pipes.input.get(), {write_buffer.get() + begin, fill - begin});
  if (written < 0) {
    if (errno != EAGAIN && errno != EINTR) break_input();
    return;
  }
  begin += static_cast<std::size_t>(written);
  write_state.written += static_cast<std::uint64_t>(written);
  refill();
}

ChildProcess::ChildProcess(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

std::int64_t ChildProcess::pid() const noexcept {
  return impl_->leader.pid();
}

ProcessGroup ChildProcess::group() const noexcept {
  return {impl_->leader.pid(), impl_->leader.start_time()};
}

bool ChildProcess::running() const noexcept {
  return !impl_->ended && !impl_->leader.gone();
}

void ChildProcess::send(std::unique_ptr<ByteSource> source) {
  if (impl_->unfinished()) throw std::logic_error("the child's input has an unfinished source");
  if (impl_->close_requested) throw std::logic_error("the child's input was closed");
  impl_->write_state = {};
  impl_->source = std::move(source);
  if (!impl_->pipes.input) impl_->break_input();
}

void ChildProcess::close_input() {
  impl_->close_requested = true;
  if (!impl_->unfinished()) impl_->pipes.input.reset();
}

WriteState ChildProcess::write_state() const noexcept {
  return impl_->write_state;
}

void ChildProcess::request_stop() noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the request is there already.
  [[maybe_unused]] const ssize_t written = ::write(impl_->pipes.stop.get(), &one, sizeof one);
}

ExitStatus ChildProcess::end(std::chrono::milliseconds grace) {
  return impl_->end(grace);
}

}  // namespace attache::sdk
