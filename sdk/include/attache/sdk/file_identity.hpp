// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attache::sdk {

/// What the host's fstat() said of a file after its last change to it. The host tells it only where every later change
/// gives the file another changed time; so a file of the same identity still has the same bytes.
/// \since 0.2
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;  ///< nanoseconds since 1970
  bool operator==(const FileIdentity&) const = default;
};

}  // namespace attache::sdk
