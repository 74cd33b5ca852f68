// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include <attache/sdk/json_lines.hpp>

#include "wire/json_span.hpp"

namespace attache::conformance {

/// A line that arrived: the shrunken frame, and where it stands in the record of standard input.
struct ArrivedFrame {
  sdk::Frame frame;
  ByteRange place;
};

/// Copies standard input to a file as it comes and splits it into frames, on a thread of its own.
class StdinReader {
 public:
  /// With `reading` false nothing is taken before set_reading(true). `on_end` is called on the reader's thread when the
  /// other side has closed.
  StdinReader(const std::filesystem::path& file, bool reading, std::function<void()> on_end);
  StdinReader(const StdinReader&) = delete;
  StdinReader& operator=(const StdinReader&) = delete;
  ~StdinReader();

  void set_reading(bool reading);
  /// Closes standard input from this side.
  void close_input();
  /// The next frame; unset at the end. Waits for one.
  std::optional<ArrivedFrame> next();
  /// Waits for the end, leaving the frames that come for next().
  void wait_end();

 private:
  void loop();
  bool read_some();
  void take(std::string_view bytes);
  void finish();
  void wake();

  std::function<void()> on_end_;
  int file_ = -1;
  int wake_[2] = {-1, -1};
  sdk::JsonLines lines_;
  std::uint64_t offset_ = 0;  ///< bytes recorded
  std::uint64_t line_begin_ = 0;
  bool too_long_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ArrivedFrame> frames_;
  bool reading_ = true;
  bool close_ = false;
  bool stop_ = false;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace attache::conformance
