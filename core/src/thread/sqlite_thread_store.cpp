// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>

#include <attache/error.hpp>
#include <attache/thread_store.hpp>

#include "thread/lease_directory.hpp"
#include "thread/sqlite.hpp"
#include "thread/store_file.hpp"
#include "thread/thread_key.hpp"

namespace attache {
namespace {

using threads::Database;
using threads::Statement;
using threads::Transaction;

constexpr std::int64_t kApplication = 0x41545448;  // "ATTH"
constexpr std::int64_t kVersion = 1;

// The revision is of the store, so that a thread that was erased and made again does not come back to an old one.
constexpr const char* kSchema =
    "CREATE TABLE thread(key BLOB PRIMARY KEY NOT NULL, fingerprint TEXT NOT NULL, checkpoint TEXT NOT NULL,"
    " tainted INTEGER NOT NULL, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE store(revision INTEGER NOT NULL) STRICT;"
    "INSERT INTO store VALUES(0);"
    "PRAGMA application_id=1096045640;"
    "PRAGMA user_version=1;";
static_assert(kApplication == 1096045640 && kVersion == 1);

/// False: the database is empty. Changes nothing.
bool is_store(Database& database) {
  const std::int64_t application = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  if (application == kApplication) {
    if (version == kVersion) return true;
    throw Error(errc::thread_store, "unknown_version", "the thread store was made by another version of Attache");
  }
  if (application == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_master") == 0) return false;
  throw Error(errc::thread_store, "foreign_file", "the file belongs to another application");
}

// Two processes that turn a new file to WAL at once may fail as busy without SQLite waiting.
void use_wal(Database& database) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    try {
      if (database.text("PRAGMA journal_mode=WAL") == "wal") return;
      throw Error(errc::thread_store, "wal_unavailable", "the thread store's file system has no shared memory");
    } catch (const Error& error) {
      if (error.reason() != "busy" || std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Database open(const std::filesystem::path& file) {
  static std::mutex one_at_a_time;  // see create_store_file()
  const std::lock_guard lock(one_at_a_time);
  threads::create_store_file(file);
  Database database(file);
  {
    Transaction one_moment(database, Transaction::Kind::read);  // another process may be making the store just now
    is_store(database);
  }
  use_wal(database);
  database.run("PRAGMA synchronous=FULL");
  Transaction transaction(database);
  if (!is_store(database)) database.run(kSchema);
  transaction.commit();
  return database;
}

std::filesystem::path lease_path(std::filesystem::path file) {
  file += ".leases";
  return file;
}

class SqliteStore final : public ThreadStore {
 public:
  explicit SqliteStore(const std::filesystem::path& file) : database_(open(file)), leases_(lease_path(file)) {}

  std::optional<ThreadRecord> load(std::string_view key) override {
    threads::check_key(key);
    const std::lock_guard lock(mutex_);
    Statement row(database_, "SELECT fingerprint, checkpoint, tainted, revision FROM thread WHERE key=?1");
    if (!row.bind_blob(1, key).step()) return std::nullopt;
    ThreadRecord record;
    record.fingerprint = row.text(0);
    record.checkpoint_json = row.text(1);
    record.tainted = row.number(2) != 0;
    record.revision = static_cast<std::uint64_t>(row.number(3));
    return record;
  }

  bool save(std::string_view key, const ThreadRecord& record) override {
    threads::check_key(key);
    const std::lock_guard lock(mutex_);
    Transaction transaction(database_);
    if (record.revision != revision_of(key)) return false;
    database_.run("UPDATE store SET revision=revision+1");
    Statement(database_, "INSERT OR REPLACE INTO thread SELECT ?1, ?2, ?3, ?4, revision FROM store")
        .bind_blob(1, key)
        .bind_text(2, record.fingerprint)
        .bind_text(3, record.checkpoint_json)
        .bind(4, record.tainted ? 1 : 0)
        .step();
    transaction.commit();
    return true;
  }

  void erase(std::string_view key) override {
    threads::check_key(key);
    const std::lock_guard lock(mutex_);
    Statement(database_, "DELETE FROM thread WHERE key=?1").bind_blob(1, key).step();
  }

  std::unique_ptr<ThreadLease> lease(std::string_view key) override {
    threads::check_key(key);
    return leases_.lease(key);
  }

 private:
  std::uint64_t revision_of(std::string_view key) {
    Statement stored(database_, "SELECT revision FROM thread WHERE key=?1");
    return stored.bind_blob(1, key).step() ? static_cast<std::uint64_t>(stored.number(0)) : 0;
  }

  std::mutex mutex_;
  Database database_;
  threads::LeaseDirectory leases_;
};

}  // namespace

// An absolute path has no special meaning for SQLite, as ":memory:" and "file:..." have.
std::shared_ptr<ThreadStore> sqlite_thread_store(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  if (error || file.empty() || file.native().find('\0') != std::filesystem::path::string_type::npos) {
    throw Error(errc::thread_store, "open_failed", "the thread store's path cannot be used");
  }
  return std::make_shared<SqliteStore>(absolute);
}

}  // namespace attache
