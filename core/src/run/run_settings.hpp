// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <vector>

#include <attache/agent.hpp>
#include <attache/input.hpp>

namespace attache {

/// What the options of one call add up to.
struct RunSettings {
  std::vector<input::Input> inputs;
  std::chrono::milliseconds deadline{0};
  std::chrono::milliseconds idle{0};
  std::stop_token stop;

  static RunSettings from(const std::vector<RunOption>& options);
};

}  // namespace attache
