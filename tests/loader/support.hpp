// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <attache/host.hpp>

namespace attache::test {

/// A file built for these tests: by attache_add_driver(), or without it.
std::filesystem::path driver_file(std::string_view id);
std::filesystem::path other_library(std::string_view name);
/// The descriptor.json a driver was built with.
std::filesystem::path descriptor_file(std::string_view id);

struct Outcome {
  int code = -1;
  std::string out;
};
/// Runs a program found on PATH (or by path) to its end.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments);

/// Takes section headers away; with the tool of elfutils or that of LLVM, whichever is there.
Outcome strip_sections(const std::filesystem::path& file);

/// A private directory for one test, and a marker file that drivers make when they are loaded.
class LoaderTest : public ::testing::Test {
 protected:
  LoaderTest();
  ~LoaderTest() override;

  const std::filesystem::path& directory() const { return directory_; }
  /// A private copy of a file, under the same name or another.
  std::filesystem::path copy(const std::filesystem::path& file, const std::string& name = "") const;
  /// Whether code of a driver with the marker ran, here or in a probe, since the last call.
  bool ran();
  /// Only the given directory, nothing installed.
  HostOptions options() const;
  /// The one attempt of the report for loading a file; fails the test when it loads.
  LoadAttempt refusal(const std::filesystem::path& file, const HostOptions& options) const;

 private:
  std::filesystem::path directory_, marker_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace attache::test
