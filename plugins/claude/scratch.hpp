// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/run.hpp>

namespace attache::claude {

/// A private directory (0700) of one process: the run's, which the host removes, or one in the temporary directory that
/// goes with this object.
class Scratch {
 public:
  /// In the temporary directory. Throws sdk::Failure (launch_failed, `scratch_directory`).
  Scratch();
  /// The run's, where the host gives one. Throws sdk::Failure (launch_failed).
  explicit Scratch(sdk::Run& run);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  const std::string& path() const noexcept { return path_; }

 private:
  void make();

  std::string path_;
  bool own_ = false;
};

}  // namespace attache::claude
