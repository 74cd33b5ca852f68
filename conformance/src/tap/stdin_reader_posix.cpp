// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "tap/stdin_reader.hpp"
#include "wire/record_file.hpp"

namespace attache::conformance {

StdinReader::StdinReader(const std::filesystem::path& file, bool reading, std::function<void()> on_end)
    : on_end_(std::move(on_end)), file_(open_append(file)), reading_(reading) {
  if (::pipe2(wake_, O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "no pipe");
  }
  thread_ = std::thread([this] { loop(); });
}

StdinReader::~StdinReader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
  close_file(file_);
  close_file(wake_[0]);
  close_file(wake_[1]);
}

void StdinReader::wake() {
  write_all(wake_[1], "w");
}

void StdinReader::set_reading(bool reading) {
  {
    const std::lock_guard lock(mutex_);
    reading_ = reading;
  }
  wake();
}

void StdinReader::close_input() {
  std::unique_lock lock(mutex_);
  close_ = true;
  wake();
  changed_.wait(lock, [this] { return !close_ || ended_; });
}

std::optional<ArrivedFrame> StdinReader::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !frames_.empty() || ended_; });
  if (frames_.empty()) {
    return std::nullopt;
  }
  ArrivedFrame frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

void StdinReader::wait_end() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_; });
}

void StdinReader::loop() {
  for (;;) {
    bool reading = false;
    {
      const std::lock_guard lock(mutex_);
      if (stop_) {
        return;
      }
      if (close_) {
        ::close(STDIN_FILENO);
        close_ = false;
        reading_ = false;
        changed_.notify_all();
      }
      reading = reading_;
    }
    pollfd waits[2] = {{wake_[0], POLLIN, 0}, {reading ? STDIN_FILENO : -1, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) {
      return;
    }
    if (waits[0].revents != 0) {
      char byte = 0;
      static_cast<void>(::read(wake_[0], &byte, 1) == 1);
    } else if (waits[1].revents != 0 && !read_some()) {
      finish();
      return;
    }
  }
}

bool StdinReader::read_some() {
  std::string buffer(64 * 1024, '\0');
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) {
    return true;
  }
  if (count <= 0) {
    return false;
  }
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
  write_all(file_, bytes);
  take(bytes);
  return true;
}

void StdinReader::take(std::string_view bytes) {
  while (!bytes.empty() && !too_long_) {
    const std::size_t feed = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, feed == std::string_view::npos ? feed : feed + 1);
    offset_ += piece.size();
    const auto status = lines_.feed(piece, [&](sdk::Frame& frame) {
      const std::lock_guard lock(mutex_);
      frames_.push_back({std::move(frame), {line_begin_, offset_ - 1}});
      changed_.notify_all();
      return true;
    });
    too_long_ = status == sdk::JsonLines::Status::too_long;
    if (feed != std::string_view::npos) {
      line_begin_ = offset_;
    }
    bytes.remove_prefix(piece.size());
  }
}

void StdinReader::finish() {
  on_end_();
  auto last = too_long_ ? std::optional<sdk::Frame>() : lines_.finish();
  const std::lock_guard lock(mutex_);
  if (last) {
    frames_.push_back({std::move(*last), {line_begin_, offset_}});
  }
  ended_ = true;
  changed_.notify_all();
}

}  // namespace attache::conformance
