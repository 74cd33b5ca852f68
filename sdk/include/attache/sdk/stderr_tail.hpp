// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// The bytes with U+FFFD for all that is not UTF-8. \since 0.2
std::string as_utf8(std::string_view bytes);

/// The last that a provider wrote to standard error: for the host as a raw event, never a part of an error. One thread.
/// \since 0.2
class StderrTail {
 public:
  static constexpr std::size_t kept = std::size_t{16} * 1024;  ///< bytes
  void take(std::string_view chunk);
  /// Hands it on, once, if there is any. Throws what Run::raw() throws.
  void report(Run& run);

 private:
  std::string bytes_;
};

}  // namespace attache::sdk
