// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/residents.hpp>
#include <attache/sdk/rpc_turn.hpp>

#include "config.hpp"
#include "server.hpp"

namespace attache::codex {

/// One app server of the CLI for each run, or for each thread while it waits for the next turn; see README.md for the
/// wire.
class CodexDriver : public sdk::Driver {
 public:
  explicit CodexDriver(std::string_view config)
      : config_(read_config(config)), residents_({.idle = std::chrono::seconds(config_.resident_idle_s)}) {}
  void run(const sdk::Request& request, sdk::Run& run) override;
  std::string inspect() override;

 protected:
  /// How long each step of ending a process may take.
  virtual sdk::RpcTurnOptions turn_options() const;

 private:
  const Config config_;
  sdk::Residents<Server> residents_;
};

}  // namespace attache::codex
