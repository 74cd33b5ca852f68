// SPDX-License-Identifier: Apache-2.0
// A small driver that does everything right, over the claude-stream-json protocol; controls override one step.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/process_turn.hpp>

namespace attache::controls {

class KitDriver : public sdk::Driver {
 public:
  explicit KitDriver(std::string_view config_json);
  void run(const sdk::Request& request, sdk::Run& run) override;

 protected:
  /// Throws Failure for the first input the descriptor does not declare.
  virtual void admit(const sdk::Request& request) const;
  /// The content of the user message; large values as slots of the frame.
  virtual nlohmann::ordered_json content(const sdk::Request& request, sdk::JsonFrame& frame) const;
  /// The typed block of one input.
  static nlohmann::ordered_json block(const sdk::Input& input, sdk::JsonFrame& frame);
  sdk::SpawnOptions command() const;

 private:
  std::string executable_;
};

}  // namespace attache::controls
