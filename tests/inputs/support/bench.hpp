// SPDX-License-Identifier: Apache-2.0
// What a test of inputs needs: a scratch directory, a driver's description, and the two outcomes of prepare().
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <attache/descriptor.hpp>
#include <attache/error.hpp>
#include <attache/input.hpp>

#include "inputs/run_inputs.hpp"

namespace attache::testing {

std::span<const std::byte> as_bytes(std::string_view text);
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);
std::size_t entries(const std::filesystem::path& directory);
input::Digest digest_of(std::string_view content);

/// Runs `body` in a child process and gives its exit code; the child ends without running the test program's exit
/// handlers. A signal gives 1000 + its number.
int in_child(const std::function<int()>& body);

class InputsTest : public ::testing::Test {
 protected:
  InputsTest();
  ~InputsTest() override;

  /// A file in the scratch directory.
  std::filesystem::path file(const std::string& name, std::string_view content) const;
  input::Input bytes(input::Kind kind, std::string media_type, std::string_view content) const;
  inputs::Terms terms() const;

  inputs::RunInputs accept(const std::vector<input::Input>& given) const;
  /// Expects a refusal that leaves nothing behind and names no path.
  InputError refuse(const std::vector<input::Input>& given) const;
  void expect_refusal(const std::vector<input::Input>& given, errc code, std::string_view reason) const;
  /// in_child() as a user without privileges, who may enter the scratch directory and owns the base. 1: no change of
  /// user was possible.
  int in_child_as_nobody(const std::function<int()>& body) const;
  /// Expects that the input is taken and its copy has the same bytes.
  ResolvedInput expect_delivered(const input::Input& given, std::string_view content) const;

  std::filesystem::path scratch, base;
  std::filesystem::path workspace;  ///< of the terms; none unless the test sets it
  Descriptor driver;                ///< much like the claude driver
  InputLimits limits;
  input::Fidelity fidelity = input::Fidelity::any;
  std::uint64_t prompt_bytes = 0;
  bool inspected = false, allow_provider_urls = false;
  std::vector<std::string> provider_url_hosts;
  std::function<void(const Diagnostic&)> diagnostics;
};

/// With a workspace, and a driver that reads its text files nowhere else.
class WorkspaceTest : public InputsTest {
 protected:
  WorkspaceTest();
};

ModeCapability mode(input::Mode mode, std::vector<std::string> types, std::string encoding = "none");

}  // namespace attache::testing
