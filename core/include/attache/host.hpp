// SPDX-License-Identifier: Apache-2.0
// Finding, checking and loading drivers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <attache/api.hpp>
#include <attache/descriptor.hpp>
#include <attache/error.hpp>

namespace attache {

/// One place the loader looked at.
/// \since 0.1
struct LoadAttempt {
  enum class Stage { search, file, elf, descriptor, version, trust, probe, load, identity, entry, describe, done };
  std::string place;            ///< the directory or file as the host named it
  Stage stage = Stage::search;  ///< the stage that failed; `done`: it loaded (or could be loaded)
  std::string reason;           ///< stable slug; empty when done
  std::string text;             ///< one sentence
  std::string hint;             ///< what to do
  std::string id;               ///< the driver's id, once known
};
ATTACHE_API std::string_view to_string(LoadAttempt::Stage stage) noexcept;

/// Every place looked at, in order, and what happened there. A report of the host about its own files: unlike
/// other errors it names their paths.
/// \since 0.1
struct ATTACHE_API LoadReport {
  std::vector<LoadAttempt> attempts;
  std::string to_text() const;
};

/// No driver was loaded. code(): driver_not_found or driver_refused. Immutable, any thread.
/// \since 0.1
class ATTACHE_API LoadError : public Error {
 public:
  LoadError(errc code, std::string reason, const std::string& text, LoadReport report);
  const LoadReport& report() const noexcept { return report_; }

 private:
  LoadReport report_;
};

struct LoadedDriver;

/// A driver in this process. Libraries stay loaded until the process ends; a handle is cheap to copy and may be
/// used from any thread, at once with others.
/// \since 0.1
class ATTACHE_API Driver {
 public:
  const Descriptor& descriptor() const noexcept;
  const std::filesystem::path& path() const noexcept;

 private:
  friend class Host;
  friend struct DriverAccess;
  explicit Driver(std::shared_ptr<const LoadedDriver> loaded) noexcept;
  std::shared_ptr<const LoadedDriver> loaded_;
};

/// Where a host looks and whom it trusts.
/// \since 0.1
struct HostOptions {
  std::vector<std::filesystem::path> directories{};  ///< searched first, in this order; each must be absolute
  bool installed_directory = true;                   ///< then the driver directory of this installation
  std::filesystem::path prefix{};      ///< of the Attache installation (drivers, probe); empty: the parent of the
                                       ///< directory that holds this program, or the library core is in
  std::string directories_variable{};  ///< name of an environment variable with more directories (colon-separated),
                                       ///< searched last; empty: none
  std::vector<std::string> trusted_sha256{};  ///< when not empty: only files with one of these digests (hex)
  bool allow_other_owners = false;            ///< take files owned by neither root nor the user
  bool allow_writable_by_others = false;      ///< take files and directories others may write to
  bool probe = true;                          ///< load in a child process first, unless the file's digest is trusted
};

/// What `list()` found.
/// \since 0.1
struct DriverListing {
  std::vector<FileReport> files;             ///< one for each readable driver
  std::vector<std::filesystem::path> paths;  ///< beside `files`
  LoadReport report;                         ///< every place looked at, shadowed ids included
};

/// The entry point of the host API. Any thread, calls at once included.
/// \since 0.1
class ATTACHE_API Host {
 public:
  explicit Host(HostOptions options = {});
  /// Loads the driver with this id (once for a process). Throws LoadError.
  Driver driver(std::string_view id) const;
  /// Loads one file, which must be a driver. Throws LoadError.
  Driver driver_from_file(const std::filesystem::path& path) const;
  /// Every driver in the search directories, by static reading only.
  DriverListing list() const;

 private:
  HostOptions options_;
};

}  // namespace attache
