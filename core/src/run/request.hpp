// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <attache/sdk/spi.h>

#include "inputs/run_inputs.hpp"

namespace attache::run {

/// The request of one run in the form of the SPI. Points into the prompt, workspace and inputs, which outlive it.
class Request {
 public:
  struct Settings {
    std::chrono::milliseconds idle{0};
    bool forbid_retention = false;
  };
  Request(const std::string& prompt, const std::string& workspace, const inputs::RunInputs& inputs, Settings settings);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  /// Zero: none.
  void set_deadline(std::chrono::milliseconds left) noexcept;
  const attache_request& get() const noexcept { return request_; }

 private:
  std::vector<attache_input> inputs_;
  std::vector<const attache_input*> pointers_;
  attache_request request_{};
};

}  // namespace attache::run
