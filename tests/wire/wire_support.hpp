// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "wire/capture.hpp"

namespace attache::conformance {

/// A folder that goes with the test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, std::string_view bytes);
Dialect shipped_dialect(const std::string& id);

/// What a process wrote and how it ended.
struct Ran {
  std::string out, err;
  int code = -1;  ///< exit code, or -1
  int signal = 0;
};

/// Runs a program to its end with `input` on its standard input, which is then closed.
Ran run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::string& input, const std::string& working_directory = {});

/// A frame of claude-stream-json with these content elements (JSON text, comma-separated).
std::string claude_frame(const std::string& elements);

}  // namespace attache::conformance
