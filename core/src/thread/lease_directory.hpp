// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include <attache/thread_store.hpp>

namespace attache::threads {

/// A directory of lock files, one for each leased key. The kernel frees a lock when its process dies. Any thread,
/// any process of this machine. Leases may outlive the object.
class LeaseDirectory {
 public:
  /// Made 0700 when missing. Throws Error (errc::thread_store): lease_failed; lease_directory_unsafe when it is no
  /// directory, not the user's own, or writable by others.
  explicit LeaseDirectory(const std::filesystem::path& path);
  /// nullptr: somebody holds it. Throws Error (errc::thread_store, lease_failed).
  std::unique_ptr<ThreadLease> lease(std::string_view key) const;

 private:
  struct Directory;
  std::shared_ptr<const Directory> directory_;
};

}  // namespace attache::threads
