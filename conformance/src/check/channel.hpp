// SPDX-License-Identifier: Apache-2.0
// What the process of a check tells the kit: one JSON object a line, on a descriptor the driver is not given.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "check/result.hpp"

namespace attache::conformance {

/// One message; which members count follows from `type`.
struct Message {
  enum class Type {
    begin,   ///< `text` is the id of the check that begins
    stage,   ///< `text` names what is entered next: load, create, run, destroy, …
    result,  ///< `result`
    fault,   ///< the kit itself failed; `text` says how
    ended,   ///< the worker is gone: `how` is exited, signalled or timed-out, `value` its code or signal
  } type = Type::stage;
  std::string text;
  CheckResult result;
  std::string how;
  int value = 0;
};

std::string encode(const Message& message);
/// Unset: no message of ours.
std::optional<Message> decode(std::string_view line);

}  // namespace attache::conformance
