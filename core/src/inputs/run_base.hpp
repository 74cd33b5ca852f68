// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace attache::inputs {

/// The directory that holds run directories.
struct RunBase {
  int directory = -1;  ///< open descriptor
  std::string path;    ///< absolute

  RunBase() = default;
  RunBase(const RunBase&) = delete;
  RunBase& operator=(const RunBase&) = delete;
  RunBase(RunBase&& other) noexcept;
  RunBase& operator=(RunBase&&) = delete;
  ~RunBase();
};

/// Opens and checks a base: absolute, no control characters, UTF-8, a directory of ours that no one else may write
/// to. Empty: a private directory of ours under $XDG_RUNTIME_DIR, else under the temporary directory, which must be
/// ours or root's and sticky if others may write to it; made when it is not there. At the first use of a base in this
/// process, run directories that killed hosts left in it are removed. Any thread. Throws FaultError: run_base_unsafe,
/// run_base_untrusted, run_base_failed.
RunBase open_run_base(const std::filesystem::path& configured);

}  // namespace attache::inputs
