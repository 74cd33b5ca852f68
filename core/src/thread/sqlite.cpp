// SPDX-License-Identifier: Apache-2.0
#include "thread/sqlite.hpp"

#include <new>

#include <sqlite3.h>

#include <attache/error.hpp>

namespace attache::threads {
namespace {

constexpr int kBusyMilliseconds = 10'000;

[[noreturn]] void fail(int result) {
  const auto error = [](const char* reason, const char* text) { return Error(errc::thread_store, reason, text); };
  switch (result & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw error("busy", "another process keeps the thread store locked");
    case SQLITE_READONLY:
      throw error("read_only", "the thread store cannot be written");
    case SQLITE_FULL:
      throw error("disk_full", "there is no room for the thread store");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw error("open_failed", "the thread store could not be opened");
    case SQLITE_NOTADB:
      throw error("foreign_file", "the file is not a thread store");
    case SQLITE_TOOBIG:
      throw error("record_too_large", "the thread's record is too large for the store");
    case SQLITE_IOERR:
      throw error("io_failed", "the thread store could not be read or written");
    default:
      throw error("corrupt", "the thread store is damaged");
  }
}

void check(int result) {
  if (result != SQLITE_OK) fail(result);
}

}  // namespace

void Database::Close::operator()(sqlite3* connection) const noexcept {
  sqlite3_close_v2(connection);
}

Database::Database(const std::filesystem::path& existing_file) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int result = sqlite3_open_v2(existing_file.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  check(result);
  check(sqlite3_busy_timeout(connection, kBusyMilliseconds));
  check(sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  check(sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr));
  if (sqlite3_db_readonly(connection, "main") == 1) fail(SQLITE_READONLY);
}

void Database::run(const char* sql) {
  check(sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : std::string();
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(database_.connection_.get(), sql, -1, &statement, nullptr);
  statement_.reset(statement);
  check(result);
}

void Statement::check(int result) const {
  threads::check(result);
}

// An empty value with a null pointer would be bound as NULL.
Statement& Statement::bind_blob(int place, std::string_view value) {
  check(sqlite3_bind_blob64(statement_.get(), place, value.empty() ? "" : value.data(), value.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_text(int place, std::string_view value) {
  const char* const data = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(statement_.get(), place, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int place, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), place, value));
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) fail(result);
  return false;
}

std::string Statement::text(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr || size <= 0) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database_.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN DEFERRED");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (...) {  // SQLite has rolled it back already
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace attache::threads
