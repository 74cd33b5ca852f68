// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace attache::codex {

/// A private directory (0700) of one process, removed with all that is in it.
class Scratch {
 public:
  /// Throws sdk::Failure (launch_failed, `scratch_directory`).
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace attache::codex
