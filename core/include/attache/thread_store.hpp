// SPDX-License-Identifier: Apache-2.0
// Where threads keep what they resume from. Never holds prompts, answers or input bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <attache/api.hpp>

namespace attache {

/// What is kept of one thread.
/// \since 0.2
struct ThreadRecord {
  std::string fingerprint;  ///< of driver id, config and workspace; hex
  std::string checkpoint_json;
  bool tainted = false;        ///< a bad turn may be part of the provider's own history
  std::uint64_t revision = 0;  ///< set by the store; grows with each save
};

/// Held while a thread runs; dropping it ends it, on any thread. A lease of a process that died is free.
/// \since 0.2
class ATTACHE_API ThreadLease {
 public:
  virtual ~ThreadLease() = default;
};

/// Any thread, calls at once included; several processes where the store says so. Failures are thrown as Error
/// (errc::thread_store). A key is opaque; the stores below take 1 to 4096 bytes without a zero byte, else key_invalid.
/// \since 0.2
class ATTACHE_API ThreadStore {
 public:
  virtual ~ThreadStore() = default;
  virtual std::optional<ThreadRecord> load(std::string_view key) = 0;
  /// Writes the record if the stored revision is `record.revision` (0: there is none yet). False: it is another one.
  /// All or nothing, also when the process dies in it.
  virtual bool save(std::string_view key, const ThreadRecord& record) = 0;
  virtual void erase(std::string_view key) = 0;
  /// nullptr: another run of this thread holds it.
  virtual std::unique_ptr<ThreadLease> lease(std::string_view key) = 0;
};

/// Lives as long as the process.
/// \since 0.2
ATTACHE_API std::shared_ptr<ThreadStore> memory_thread_store();

/// In one SQLite file (WAL), created 0600 when missing; for several processes of one machine at once. Leases are lock
/// files in `<file>.leases`, a private directory. Throws Error (errc::thread_store) when it cannot be opened or holds
/// something else: open_failed, not_regular, read_only, foreign_file, unknown_version, wal_unavailable,
/// lease_directory_unsafe; then and later also busy (locked for 10 s), corrupt, disk_full, io_failed,
/// record_too_large, lease_failed.
/// \since 0.2
ATTACHE_API std::shared_ptr<ThreadStore> sqlite_thread_store(const std::filesystem::path& file);

}  // namespace attache
