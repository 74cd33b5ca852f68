// SPDX-License-Identifier: Apache-2.0
// The built command with the test driver, as a child.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <attache/sdk/sha256.hpp>

#include "command/command.hpp"

namespace attache::cli::test {

using attache::test::Child;
using attache::test::CommandOptions;
using attache::test::Finished;
using attache::test::TemporaryDirectory;

/// A PNG of one pixel.
inline std::string small_png() {
  using namespace std::string_literals;
  return "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55\0\0\0\nIDAT\x78\x9c\x63\x60\0\0\0\x02\0\x01\x48\xaf\xa4\x71\0\0\0\0IEND\xae\x42\x60\x82"s;
}

/// A WAV of two silent samples.
inline std::string small_wav() {
  using namespace std::string_literals;
  return "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x04\0\0\0\0\0\0\0"s;
}

/// The arguments with the command and its driver directory before and after the verb.
inline std::vector<std::string> command(std::string verb, std::vector<std::string> arguments) {
  std::vector<std::string> words{ATTACHE_CLI, std::move(verb), "--driver-dir", ATTACHE_TEST_DRIVERS};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// `attache run -d cli-test …`
inline std::vector<std::string> run_words(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-d", "cli-test"});
  return command("run", std::move(arguments));
}

inline Finished run(std::vector<std::string> arguments, const CommandOptions& options = {}) {
  return attache::test::run_command(run_words(std::move(arguments)), options);
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::string hex_sha256(std::string_view bytes) {
  return sdk::to_hex(sdk::sha256(bytes));
}

/// Every line, which must be a JSON object.
inline std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    list.push_back(nlohmann::json::parse(line));
  }
  return list;
}

}  // namespace attache::cli::test
