// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/request.hpp>

namespace attache::sdk::acp {

/// The content blocks of a prompt: its text (none when it is empty), then one for each input, in order.
struct Prompt {
  std::string blocks;  ///< JSON array with the markers of `payload`
  JsonFrame payload;
  std::vector<std::uint32_t> slots;  ///< index of the input behind each slot
};

/// Throws Failure: invalid `prompt_not_utf8`.
Prompt build_prompt(const Request& request);

/// The file URL of an absolute path.
std::string file_url(std::string_view path);

}  // namespace attache::sdk::acp
