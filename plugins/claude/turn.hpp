// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/run.hpp>

#include "json_access.hpp"
#include "receipts.hpp"
#include "verdict.hpp"

namespace attache::claude {

/// Turns the CLI's frames into events of the run.
class Turn {
 public:
  Turn(const sdk::Request& request, sdk::Run& run) : run_(run), receipts_(request) {}

  /// True at the result of a turn that went well; throws sdk::Failure at any other, with the receipts told before.
  bool take(const sdk::Frame& frame);

 private:
  void system(const Json& frame);
  void stream_event(const Json& event);
  void assistant(const Json& document, const sdk::Frame& frame);
  void assistant_block(const Json& block, const sdk::Frame& frame);
  void user(const Json& document, const sdk::Frame& frame);
  void result(const Json& document, const sdk::Frame& frame);
  void whole_text(const std::string& whole, const sdk::Frame& frame);
  void whole_thinking(const std::string& whole, const sdk::Frame& frame);

  sdk::Run& run_;
  Receipts receipts_;
  Verdict verdict_;
  /// Bytes already handed on of each block that is being streamed, oldest first: its whole text still comes.
  std::deque<std::size_t> streamed_text_;
  std::deque<std::size_t> streamed_thinking_;
  bool unreadable_told_ = false;
  bool answer_lost_ = false;
};

}  // namespace attache::claude
