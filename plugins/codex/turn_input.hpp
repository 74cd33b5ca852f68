// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/request.hpp>

namespace attache::codex {

/// The user input of a turn: the prompt's text (none when it is empty), then an item for each input, in order: images
/// and audio as data URLs, so that no local path reaches the provider, files as text that names their path.
struct TurnInput {
  std::string items;  ///< JSON array with the markers of `payload`
  sdk::JsonFrame payload;
  std::vector<std::uint32_t> slots;  ///< index of the input behind each slot
};

/// The text that stands for a workspace reference.
std::string reference_text(const sdk::Input& input);

/// Throws sdk::Failure: invalid `prompt_not_utf8`; too_large `prompt_too_long`.
TurnInput build_input(const sdk::Request& request);

}  // namespace attache::codex
