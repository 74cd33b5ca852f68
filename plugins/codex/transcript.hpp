// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/json_lines.hpp>

#include "json_access.hpp"

namespace attache::codex {

/// An item of the CLI as an item of the transcript: every payload (a data URL, and any string that was too long to
/// keep) is replaced by what is known of it.
std::string transcript_item(const Json& item, const sdk::Frame& frame);

/// The text of a tool's output or of a message's content, without its media.
std::string text_of(const Json& content, const sdk::Frame& frame);

}  // namespace attache::codex
