// SPDX-License-Identifier: Apache-2.0
//
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "wire/dialect_impl.hpp"
#include "wire/json_span.hpp"

namespace attache::conformance {

/// A turn to be given back.
struct EchoSource {
  std::filesystem::path file;  ///< holds the turn's frame at `place`, as it came
  ByteRange place;
  const Json* frame = nullptr;  ///< the same, shrunken and parsed
};

/// Writes `frame_text`, a line in which "${content}" stands for the turn's content: the content's own bytes, streamed
/// from the record, with the step's "edit" made, and each item in the form that "each" has for it (null: as it came).
/// False when the turn has no content or `write` returned false.
bool write_echo(const std::string& frame_text, const Json& edit, const Json& each, const EchoSource& source,
                const Dialect::Impl& dialect, const std::function<bool(std::string_view)>& write);

}  // namespace attache::conformance
