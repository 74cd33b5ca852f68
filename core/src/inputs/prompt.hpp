// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace attache::inputs {

/// Throws InputError input_invalid: prompt_not_utf8, or prompt_empty when there is neither a prompt nor an input.
void check_prompt(std::string_view prompt, std::size_t input_count);

}  // namespace attache::inputs
