// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <attache/sdk/json_lines.hpp>

#include "json_access.hpp"

namespace attache::codex {

/// The CLI's own record of a thread: where it goes on with an earlier one it shows nothing of what it prepared, but
/// writes it there. Hands on every user message of this turn, in bounded memory. A file that cannot be read, or that
/// has another form, hands on nothing.
void read_rollout(const std::string& file, const std::string& turn,
                  const std::function<void(const Json& message, const sdk::Frame& frame)>& on_message);

}  // namespace attache::codex
