// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/stream_json_events.hpp>

#include "json_access.hpp"
#include "receipts.hpp"
#include "verdict.hpp"

namespace attache::claude {

/// Turns the CLI's frames into events of the run.
class Turn {
 public:
  Turn(const sdk::Request& request, sdk::Run& run)
      : run_(run), events_(run, "the claude CLI wrote a line that is not a frame"), receipts_(request) {}

  /// True at the result of a turn that went well; throws sdk::Failure at any other, with the receipts told before.
  bool take(const sdk::Frame& frame);

 private:
  void system(const Json& frame);
  void assistant(const Json& document, const sdk::Frame& frame);
  void user(const Json& document, const sdk::Frame& frame);
  void result(const Json& document, const sdk::Frame& frame);

  sdk::Run& run_;
  sdk::StreamJsonEvents<Json> events_;
  Receipts receipts_;
  Verdict verdict_;
};

}  // namespace attache::claude
