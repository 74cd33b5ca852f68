// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <attache/sdk/driver.hpp>

#include "config.hpp"
#include "inspection.hpp"

namespace attache::codebuddy {

/// One process of the CLI for each run; see README.md for the wire.
class CodebuddyDriver : public sdk::Driver {
 public:
  explicit CodebuddyDriver(std::string_view config) : config_(read_config(config)) {}
  void run(const sdk::Request& request, sdk::Run& run) override;
  std::string inspect() override;

 private:
  /// Asked once, by whoever needs it first; a failure is not kept.
  Version version(const std::stop_token& stop = {});
  std::vector<Model> models(const std::stop_token& stop = {});
  void require_images(const sdk::Request& request, const sdk::Run& run);
  /// What was asked before: a run costs no start of its own for it.
  std::optional<Version> known_version();

  const Config config_;
  std::mutex mutex_;
  std::optional<Version> version_;
  std::optional<std::vector<Model>> models_;
};

}  // namespace attache::codebuddy
