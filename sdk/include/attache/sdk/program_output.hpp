// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <attache/sdk/child_process.hpp>

namespace attache::sdk {

/// What a program is asked, and when it has answered.
/// \since 0.2
struct ProgramQuestion {
  std::string input = {};   ///< goes to its standard input
  std::size_t kept = 4096;  ///< bytes of its standard output that are kept
  /// Told all that is kept so far, after each piece; true: that is the answer. Standard input stays open until then.
  /// Without it standard input is closed behind `input`, and the answer is what comes until the program ends.
  std::function<bool(std::string_view)> answered = {};
};

/// What a program prints to standard output, for asking a CLI its version. The program is ended. Delivers nothing.
/// Throws Failure: launch_failed (the reasons of SpawnError), timeout (`deadline`) after `patience`, cancelled once
/// `stop` is. Any thread. \since 0.2
std::string program_output(const SpawnOptions& options, std::chrono::milliseconds patience,
                           const ProgramQuestion& question = {}, const std::stop_token& stop = {});

}  // namespace attache::sdk
