// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace attache::conformance {

/// Bytes [begin, end) of a file.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Where the values at `pointers` (RFC 6901) stand in the JSON text that `range` of `file` holds, so that they can be
/// copied as they are, whatever their size. Streams; expects valid JSON. Values that are not there are left out; of
/// duplicate keys the last counts. Throws std::system_error.
std::map<std::string, ByteRange> json_spans(const std::filesystem::path& file, ByteRange range,
                                            const std::vector<std::string>& pointers);

}  // namespace attache::conformance
