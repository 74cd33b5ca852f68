// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/shown.hpp>

#include "json_access.hpp"

namespace attache::codex {

/// What the CLI showed of the inputs of a turn, and the receipts that follow from it.
class Receipts {
 public:
  explicit Receipts(const sdk::Request& request) : request_(request) {}

  /// A user message as the CLI prepared it. Messages of its own (environment, skills) are told apart; only the first
  /// one of the caller counts.
  void prepared(const Json& message, const sdk::Frame& frame);
  bool shown() const noexcept { return shown_.has_value(); }
  /// The turn went to another model than the one whose modalities were looked up: nothing is known any more.
  void forget() { forgotten_ = true; }

  /// One receipt for each input.
  void emit(sdk::Run& run) const;

 private:
  static sdk::Shown read(const Json& item, const sdk::Frame& frame);
  bool is_callers(const Json& message, const std::vector<sdk::Shown>& items) const;

  const sdk::Request& request_;
  std::optional<std::vector<sdk::Shown>> shown_;
  bool forgotten_ = false;
};

}  // namespace attache::codex
