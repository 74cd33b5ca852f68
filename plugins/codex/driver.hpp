// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/driver.hpp>

#include "config.hpp"

namespace attache::codex {

/// One app server of the CLI for each run; see README.md for the wire.
class CodexDriver : public sdk::Driver {
 public:
  explicit CodexDriver(std::string_view config) : config_(read_config(config)) {}
  void run(const sdk::Request& request, sdk::Run& run) override;
  std::string inspect() override;

 private:
  const Config config_;
};

}  // namespace attache::codex
