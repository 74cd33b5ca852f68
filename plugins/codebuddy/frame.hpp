// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/request.hpp>

namespace attache::codebuddy {

/// The user frame of a turn, and which inputs its slots are.
struct UserFrame {
  sdk::JsonFrame line;
  std::vector<std::uint32_t> slots;  ///< index of the input behind each slot
};

/// The text that stands for a workspace reference.
std::string reference_text(const sdk::Input& input);

/// The prompt's text block (none when it is empty), then a block for each input, in order. Opens nothing. Throws
/// sdk::Failure: invalid `prompt_not_utf8`; too_large `request_size_limit` with the first input that does not fit.
UserFrame build_frame(const sdk::Request& request);

}  // namespace attache::codebuddy
