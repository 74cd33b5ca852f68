// SPDX-License-Identifier: Apache-2.0
// A private place for a provider's process.
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/run.hpp>

namespace attache::sdk {

/// A private directory (0700) for one process: its TMPDIR, its configuration. The run's own where the host gives one,
/// and removed by the host then; else one in the temporary directory, that goes with this object. One thread.
/// \since 0.2
class Scratch {
 public:
  /// In the temporary directory, named `attache-<who>-` and six characters. Throws Failure (launch_failed,
  /// `scratch_directory`).
  explicit Scratch(std::string_view who);
  /// The run's, else as above. Throws Failure (launch_failed, `private_directory` or `scratch_directory`).
  Scratch(Run& run, std::string_view who);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  /// Absolute.
  const std::string& path() const noexcept { return path_; }

 private:
  void make(std::string_view who);

  std::string path_;
  bool own_ = false;
};

}  // namespace attache::sdk
