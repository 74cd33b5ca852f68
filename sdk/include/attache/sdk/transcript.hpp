// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/json_lines.hpp>

namespace attache::sdk {

/// A JSON text of `frame` for a transcript: a note of size and digest stands in place of each string that left the
/// frame, of each data URL, and of `data` and `blob` beside a `mimeType`. Empty when it is no JSON. Any thread.
/// \since 0.2
std::string without_media(const std::string& json, const Frame& frame);

}  // namespace attache::sdk
