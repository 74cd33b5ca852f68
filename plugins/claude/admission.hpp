// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <attache/sdk/request.hpp>

namespace attache::claude {

/// How an input stands in the user message.
enum class Block { image, document, text_document };

/// The block for an input that is declared.
Block block_of(const sdk::Input& input);

/// What the driver cannot do with a request whose inputs are declared (sdk::require_declared()) is refused here, before
/// anything is started. Throws sdk::Failure: too_large (`count_limit`, `encoded_size_limit`) with the index of the
/// first offending input, resume_rejected for a checkpoint, invalid for the other things that were not declared.
void admit(const sdk::Request& request);

}  // namespace attache::claude
