// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace attache::conformance {

/// A private folder with `home` and `tmp` in it, removed with all it holds.
class Scratch {
 public:
  /// Throws std::system_error.
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Name of the system and machine, e.g. "Linux x86_64".
std::string platform_name();

}  // namespace attache::conformance
