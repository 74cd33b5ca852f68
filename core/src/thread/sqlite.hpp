// SPDX-License-Identifier: Apache-2.0
// The little of SQLite that the thread store needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace attache::threads {

/// One connection. One thread at a time. Every failure is thrown as Error (errc::thread_store); its text names no
/// path and no SQL.
class Database {
 public:
  explicit Database(const std::filesystem::path& existing_file);
  void run(const char* sql);
  std::int64_t number(const char* sql);
  std::string text(const char* sql);

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* connection) const noexcept;
  };
  std::unique_ptr<sqlite3, Close> connection_;
};

/// One prepared statement, used once. What is bound must live as long as it.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  Statement& bind_blob(int place, std::string_view value);
  Statement& bind_text(int place, std::string_view value);
  Statement& bind(int place, std::int64_t value);
  /// False: no (more) row.
  bool step();
  std::string text(int column) const;
  std::int64_t number(int column) const;

 private:
  void check(int result) const;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A write transaction, from its beginning alone on the database; rolled back unless committed.
class Transaction {
 public:
  enum class Kind { read, write };  ///< read: everything that is read is of one moment
  explicit Transaction(Database& database, Kind kind = Kind::write);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace attache::threads
