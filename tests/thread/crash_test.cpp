// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include <sqlite3.h>

#include "fixture.hpp"
#include "thread/sqlite.hpp"

namespace attache::testing {
namespace {

void kill(sdk::ChildProcess& child) {
  ASSERT_EQ(::kill(static_cast<pid_t>(child.pid()), SIGKILL), 0);
  const sdk::ExitStatus status = child.end(std::chrono::seconds(60));
  EXPECT_EQ(status.kind, sdk::ExitStatus::Kind::signalled);
  EXPECT_EQ(status.value, SIGKILL);
}

bool is_write_locked(const StoreDirectory& directory) {
  sqlite3* connection = nullptr;
  EXPECT_EQ(sqlite3_open(directory.file.c_str(), &connection), SQLITE_OK);
  const int result = sqlite3_exec(connection, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  sqlite3_close(connection);
  return result == SQLITE_BUSY;
}

TEST(ThreadStoreCrash, KilledInTheMiddleOfAWriteWithTheLeaseHeld) {
  StoreDirectory directory;
  const auto store = sqlite_thread_store(directory.file);
  ASSERT_TRUE(store->save("thread", record("healthy")));
  const std::uint64_t revision = store->load("thread")->revision;
  sdk::ChildProcess child = start("write-half", directory.file);
  ASSERT_EQ(line_of(child), "writing");
  EXPECT_TRUE(is_write_locked(directory));
  EXPECT_FALSE(store->lease("thread"));
  EXPECT_EQ(store->load("thread")->checkpoint_json, "healthy") << "readers do not wait for writers";
  kill(child);
  EXPECT_TRUE(store->lease("thread"));
  EXPECT_EQ(store->load("thread")->checkpoint_json, "healthy");
  EXPECT_TRUE(store->save("thread", record("next", revision)));
  EXPECT_EQ(sqlite_thread_store(directory.file)->load("thread")->checkpoint_json, "next");
}

TEST(ThreadStoreCrash, KilledWhileItSavesAgainAndAgain) {
  StoreDirectory directory;
  for (int round = 1; round <= 5; ++round) {
    sdk::ChildProcess child = start("save", directory.file);
    const std::string last = line_of(child, 3 * round);
    ASSERT_FALSE(last.empty());
    kill(child);
    const auto store = sqlite_thread_store(directory.file);
    const ThreadRecord found = store->load("thread").value_or(ThreadRecord{});
    EXPECT_GE(found.revision, std::stoull(last)) << "what was saved is kept";
    EXPECT_EQ(found.checkpoint_json.size(), 20'000u);
    EXPECT_EQ(found.checkpoint_json.find_first_not_of(found.checkpoint_json[0]), std::string::npos);
    EXPECT_EQ(threads::Database(directory.file).text("PRAGMA integrity_check"), "ok");
  }
}

}  // namespace
}  // namespace attache::testing
