// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/request.hpp>

namespace attache::claude {

/// The one user frame of a turn: the prompt's text block (none when it is empty), then a block for each input, in
/// order; slot i of the frame is input i. `beside`: bytes of the request that come from elsewhere. Reads text files
/// once, to know their encoded size. Throws sdk::Failure: invalid `prompt_not_utf8` and `text_not_utf8`, too_large
/// `request_size_limit` with the first input that does not fit, contract for a file that is not what the request says.
sdk::JsonFrame build_frame(const sdk::Request& request, std::uint64_t beside);

}  // namespace attache::claude
