// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include <attache/sdk/child_process.hpp>

namespace attache::sdk {

/// What a program prints to standard output in answer to `input` (its whole standard input, which is then closed), at
/// most `kept` bytes of it; for asking a CLI its version. Delivers nothing. Throws Failure: launch_failed (the reasons
/// of SpawnError), timeout (`deadline`) after `patience`, cancelled once `stop` is. Any thread. \since 0.2
std::string program_output(const SpawnOptions& options, std::chrono::milliseconds patience, std::size_t kept = 4096,
                           const std::string& input = {}, const std::stop_token& stop = {});

}  // namespace attache::sdk
