// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "inputs/content/byte_view.hpp"
#include "inputs/run_base.hpp"

namespace attache::inputs {

/// What fstat() says of a finished file. Changed by every later change to the file.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed_ns = 0;
};

/// A file in a run directory while it is written. Mode 0400 from the start.
class RunFile : public ByteView {
 public:
  /// Appends. Throws FaultError: disk_full or write_failed.
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Throws like write(): some file systems report a full disk only here. Unset where the file system's clock is too
  /// coarse to tell a later change.
  virtual std::optional<FileIdentity> close() = 0;
};

/// The directory of one run. Locked by this process for as long as it lives. create() from any thread, the rest from
/// one at a time.
class RunDirectory {
 public:
  /// What lies in it, as its name shows: a path of inputs must never be mistaken for one the provider may know.
  enum class Holds { inputs, driver_files };
  /// Throws FaultError.
  static std::unique_ptr<RunDirectory> make(RunBase base, Holds holds = Holds::inputs);
  virtual ~RunDirectory() = default;  ///< remove()
  virtual const std::string& path() const noexcept = 0;
  /// A new file that nothing had before. Throws FaultError.
  virtual std::unique_ptr<RunFile> create(const std::string& name) = 0;
  /// Absolute path of a directory in it for the driver's files, 0700; made at the first call. Throws FaultError.
  virtual const std::string& private_directory() = 0;
  /// Notes a process group that works for the run, for a sweep. Throws FaultError.
  virtual void note_group(std::int64_t pgid, std::uint64_t start_time) = 0;
  /// Removes it and all in it. Idempotent.
  virtual void remove() noexcept = 0;
};

}  // namespace attache::inputs
