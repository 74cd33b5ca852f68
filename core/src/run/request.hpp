// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <attache/message.hpp>
#include <attache/sdk/spi.h>

#include "inputs/run_inputs.hpp"

namespace attache::run {

/// What a request is made of. Everything a pointer leads to outlives the request.
struct RequestContent {
  const std::string* prompt = nullptr;
  const std::string* workspace = nullptr;
  const inputs::RunInputs* inputs = nullptr;
  const std::vector<Message>* history = nullptr;     ///< null: none
  const inputs::RunInputs* history_parts = nullptr;  ///< of all messages, in their order
  const std::string* output_schema = nullptr;        ///< null: none
  std::chrono::milliseconds idle{0};
  bool forbid_retention = false;
};

/// The request of one run in the form of the SPI.
class Request {
 public:
  explicit Request(const RequestContent& content);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  /// Zero: none.
  void set_deadline(std::chrono::milliseconds left) noexcept;
  /// An empty checkpoint asks for a new session. Both texts outlive the request, or the next call.
  void set_thread(const std::string& id, const std::string& checkpoint, bool fork) noexcept;
  const attache_request& get() const noexcept { return request_; }

 private:
  void add_inputs(const inputs::RunInputs& inputs);
  void add_parts(const inputs::RunInputs& parts);
  void add_history(const std::vector<Message>& messages);

  std::vector<attache_input> inputs_;
  std::vector<const attache_input*> input_pointers_;
  std::vector<attache_part> parts_;
  std::vector<const attache_part*> part_pointers_;
  std::vector<attache_message> messages_;
  std::vector<const attache_message*> message_pointers_;
  attache_request request_{};
};

}  // namespace attache::run
