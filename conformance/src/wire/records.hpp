// SPDX-License-Identifier: Apache-2.0
// Records on disk: one folder for each process or request, numbered in the order of their starts.
// start.json · stdin · events.jsonl (one JSON object a line, written as things happen)
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "wire/capture.hpp"

namespace attache::conformance {

/// A record that is being written. Methods may be called from any thread.
class RecordWriter {
 public:
  /// Takes the next number in `records`, also with many at once. Throws std::system_error.
  explicit RecordWriter(const std::filesystem::path& records);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  const std::filesystem::path& directory() const noexcept { return directory_; }
  std::filesystem::path body_file() const { return directory_ / "stdin"; }
  /// Writes start.json; it appears whole or not at all.
  void start(const std::string& json);
  /// Appends one line, with the time since the record began in microseconds as "at".
  void event(const std::string& name, const std::string& members_json = "{}");

 private:
  std::filesystem::path directory_;
  std::mutex mutex_;
  int events_ = -1;
  std::int64_t begin_ = 0;
};

/// Folders of the records, in order.
std::vector<std::filesystem::path> record_folders(const std::filesystem::path& records);

/// One record, as far as it was written.
Capture read_record(const std::filesystem::path& folder, const Dialect& dialect);

}  // namespace attache::conformance
