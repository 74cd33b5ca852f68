// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <sqlite3.h>
#include <sys/stat.h>

#include "fixture.hpp"
#include "thread/sqlite.hpp"

namespace attache::testing {
namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void run(const std::filesystem::path& path, const char* sql) {
  sqlite3* connection = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  EXPECT_EQ(sqlite3_close(connection), SQLITE_OK);
}

class ThreadStoreFile : public ::testing::Test {
 protected:
  std::string open() const {
    return refusal([this] { sqlite_thread_store(directory.file); });
  }
  StoreDirectory directory;
};

TEST_F(ThreadStoreFile, EverythingIsPrivate) {
  const mode_t before = ::umask(0);
  const auto store = sqlite_thread_store(directory.file);
  ASSERT_TRUE(store->save("a", record("1")));
  const auto lease = store->lease("a");
  ::umask(before);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.path)) {
    EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? 0700u : 0600u) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 5) << "database, log, index of the log, lease directory, lock file";
}

TEST_F(ThreadStoreFile, IsKeptForTheNextProcess) {
  ASSERT_TRUE(sqlite_thread_store(directory.file)->save("a", record("1")));
  const auto store = sqlite_thread_store(directory.file);
  EXPECT_EQ(store->load("a")->checkpoint_json, "1");
  EXPECT_EQ(threads::Database(directory.file).text("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(threads::Database(directory.file).number("PRAGMA user_version"), 1);
}

TEST_F(ThreadStoreFile, NoLockFileIsLeftBehind) {
  const auto store = sqlite_thread_store(directory.file);
  const std::filesystem::path leases = directory.file.string() + ".leases";
  store->lease("a");
  EXPECT_TRUE(std::filesystem::is_empty(leases));
  const auto held = store->lease("a");
  EXPECT_FALSE(store->lease("a"));
  EXPECT_FALSE(std::filesystem::is_empty(leases)) << "who did not get it removed it";
}

TEST_F(ThreadStoreFile, DatabasesOfOthersAreRefusedAndNotChanged) {
  for (const char* const sql :
       {"CREATE TABLE notes(text)", "PRAGMA application_id=7", "PRAGMA user_version=3", "CREATE TABLE thread(key)"}) {
    std::filesystem::remove(directory.file);
    run(directory.file, sql);
    const std::string before = read(directory.file);
    EXPECT_EQ(open(), "foreign_file") << sql;
    EXPECT_EQ(read(directory.file), before) << sql;
  }
}

TEST_F(ThreadStoreFile, AnotherVersionIsRefused) {
  sqlite_thread_store(directory.file);
  run(directory.file, "PRAGMA user_version=2");
  EXPECT_EQ(open(), "unknown_version");
  run(directory.file, "PRAGMA user_version=0");
  EXPECT_EQ(open(), "unknown_version");
}

TEST_F(ThreadStoreFile, WhatIsNoDatabaseIsRefusedAndNotChanged) {
  const std::string text(10'000, 'x');
  write(directory.file, text);
  EXPECT_EQ(open(), "foreign_file");
  EXPECT_EQ(read(directory.file), text);
}

TEST_F(ThreadStoreFile, AnEmptyFileBecomesAStore) {
  write(directory.file, "");
  EXPECT_TRUE(sqlite_thread_store(directory.file)->save("a", record("1")));
}

TEST_F(ThreadStoreFile, DamageIsTyped) {
  {
    const auto store = sqlite_thread_store(directory.file);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(store->save(std::to_string(i), record(std::string(3000, 'c'))));
  }
  const std::string whole = read(directory.file);
  std::string damaged = whole;
  // All pages but the first, which holds the schema.
  std::fill(damaged.begin() + 4096, damaged.end(), '\x5a');
  write(directory.file, damaged);
  EXPECT_EQ(refusal([this] { sqlite_thread_store(directory.file)->load("7"); }), "corrupt");
  EXPECT_EQ(refusal([this] { sqlite_thread_store(directory.file)->save("7", record("")); }), "corrupt");
  write(directory.file, std::string_view(whole).substr(0, 5000));
  EXPECT_EQ(refusal([this] { sqlite_thread_store(directory.file)->load("7"); }), "corrupt");
}

TEST_F(ThreadStoreFile, AStoreWithoutItsTablesIsDamaged) {
  sqlite_thread_store(directory.file);
  run(directory.file, "DROP TABLE thread");
  EXPECT_EQ(refusal([this] { sqlite_thread_store(directory.file)->load("a"); }), "corrupt");
}

TEST_F(ThreadStoreFile, OnlyARegularFile) {
  std::filesystem::create_directory(directory.file);
  EXPECT_EQ(open(), "not_regular");
  std::filesystem::remove(directory.file);
  ASSERT_EQ(::mkfifo(directory.file.c_str(), 0600), 0);
  EXPECT_EQ(open(), "not_regular");
  directory.file = directory.path / "missing" / "threads.db";
  EXPECT_EQ(open(), "open_failed");
}

TEST_F(ThreadStoreFile, NoPathHasASpecialMeaning) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path);
  for (const char* const name : {":memory:", "file:threads.db?mode=memory"}) {
    EXPECT_TRUE(sqlite_thread_store(name)->save("a", record("1")));
    EXPECT_TRUE(std::filesystem::is_regular_file(directory.path / name)) << name;
  }
  std::filesystem::current_path(before);
  directory.file = "";
  EXPECT_EQ(open(), "open_failed");
  directory.file = (directory.path / "a").string() + std::string("\0b", 2);
  EXPECT_EQ(open(), "open_failed");
}

TEST_F(ThreadStoreFile, TheLeaseDirectoryMustBePrivate) {
  const std::filesystem::path leases = directory.file.string() + ".leases", other = directory.path / "other";
  std::filesystem::create_directory(other);
  std::filesystem::create_directory_symlink(other, leases);
  EXPECT_EQ(open(), "lease_directory_unsafe");
  std::filesystem::remove(leases);
  write(leases, "");
  EXPECT_EQ(open(), "lease_directory_unsafe");
  std::filesystem::remove(leases);
  std::filesystem::create_directory(leases);
  std::filesystem::permissions(leases, std::filesystem::perms::all);
  EXPECT_EQ(open(), "lease_directory_unsafe");
}

TEST_F(ThreadStoreFile, AVanishedLeaseDirectoryIsAnErrorAndNoFreeLease) {
  const auto store = sqlite_thread_store(directory.file);
  std::filesystem::remove_all(directory.file.string() + ".leases");
  EXPECT_EQ(refusal([&] { store->lease("a"); }), "lease_failed");
}

TEST_F(ThreadStoreFile, AReadOnlyDirectory) {
  const auto said = [this] {
    sdk::ChildProcess child = start("unprivileged", directory.file);
    const std::string line = line_of(child);
    EXPECT_EQ(end(child).value, 2);
    EXPECT_EQ(line.find(directory.path.string()), std::string::npos) << line;
    return line.substr(0, line.find(':'));
  };
  std::filesystem::permissions(directory.path, static_cast<std::filesystem::perms>(0555));
  EXPECT_EQ(said(), "open_failed");
  std::filesystem::permissions(directory.path, std::filesystem::perms::owner_all);
  sqlite_thread_store(directory.file);
  std::filesystem::permissions(directory.file, static_cast<std::filesystem::perms>(0444));
  std::filesystem::permissions(directory.path, static_cast<std::filesystem::perms>(0555));
  EXPECT_EQ(said(), "read_only");
}

}  // namespace
}  // namespace attache::testing
