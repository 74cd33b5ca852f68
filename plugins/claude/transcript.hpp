// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/json_lines.hpp>

#include "json_access.hpp"

namespace attache::claude {

/// A frame of the CLI as an item of the transcript: every payload (the data of a source, and any string that was
/// too long to keep) is replaced by what is known of it.
std::string transcript_item(const Json& document, const sdk::Frame& frame);

}  // namespace attache::claude
