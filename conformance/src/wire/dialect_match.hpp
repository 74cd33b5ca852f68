// SPDX-License-Identifier: Apache-2.0
// Frames read through a dialect.
#pragma once

#include <attache/sdk/json_lines.hpp>

#include "wire/capture.hpp"
#include "wire/dialect_impl.hpp"

namespace attache::conformance {

/// One message of a frame that carries a turn.
struct TurnPlace {
  std::string pointer;  ///< of the message's content in the frame
  const Json* content = nullptr;
};

/// The turns a parsed frame carries; empty: none.
std::vector<TurnPlace> turns_of(const Json& frame, const Dialect::Impl& dialect);

/// The items of one turn's content. Strings that were taken out of the frame are found in `frame`.
CapturedTurn read_turn_items(const Json& content, const sdk::Frame& frame, const Dialect::Impl& dialect);

}  // namespace attache::conformance
