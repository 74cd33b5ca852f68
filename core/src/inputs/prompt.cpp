// SPDX-License-Identifier: Apache-2.0
#include "inputs/prompt.hpp"

#include <attache/error.hpp>

#include "inputs/utf8.hpp"

namespace attache::inputs {

void check_prompt(std::string_view prompt, std::size_t input_count) {
  if (!is_utf8(prompt)) {
    throw InputError(errc::input_invalid, "prompt_not_utf8", "the prompt is not valid UTF-8", {});
  }
  if (prompt.empty() && input_count == 0) {
    throw InputError(errc::input_invalid, "prompt_empty", "there is neither a prompt nor an input", {});
  }
}

}  // namespace attache::inputs
