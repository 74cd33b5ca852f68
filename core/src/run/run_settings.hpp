// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <attache/agent.hpp>
#include <attache/input.hpp>
#include <attache/message.hpp>

namespace attache {

/// What the options of one call add up to.
struct RunSettings {
  std::vector<input::Input> inputs;
  std::chrono::milliseconds deadline{0};
  std::chrono::milliseconds idle{0};
  std::stop_token stop;
  std::shared_ptr<const std::vector<Message>> history;  ///< null: not asked for
  PartResolver resolver;
  std::optional<std::string> output_schema;

  static RunSettings from(const std::vector<RunOption>& options);
};

}  // namespace attache
