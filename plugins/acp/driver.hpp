// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/driver.hpp>

#include "config.hpp"

namespace attache::acp {

/// One process of the configured agent for each run; see README.md for the wire.
class AcpDriver : public sdk::Driver {
 public:
  explicit AcpDriver(std::string_view config) : config_(read_config(config)) {}
  void run(const sdk::Request& request, sdk::Run& run) override;
  std::string capabilities() override;
  std::string inspect() override;

 private:
  const Config config_;
};

}  // namespace attache::acp
