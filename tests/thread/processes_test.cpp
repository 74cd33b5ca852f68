// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

namespace attache::testing {
namespace {

TEST(ThreadStoreProcesses, TwoAtOnceLoseNoSave) {
  StoreDirectory directory;
  // Both find no file: they also make it at once.
  sdk::ChildProcess first = start("count", directory.file), second = start("count", directory.file);
  EXPECT_EQ(line_of(first), "ready");
  EXPECT_EQ(line_of(second), "ready");
  first.close_input();
  second.close_input();
  EXPECT_TRUE(end(first).success());
  EXPECT_TRUE(end(second).success());
  EXPECT_EQ(sqlite_thread_store(directory.file)->load("counter")->checkpoint_json, "200");
}

TEST(ThreadStoreProcesses, ALeaseIsHeldByOneProcess) {
  StoreDirectory directory;
  const auto store = sqlite_thread_store(directory.file);
  sdk::ChildProcess child = start("hold", directory.file);
  EXPECT_EQ(line_of(child), "held");
  EXPECT_FALSE(store->lease("thread"));
  EXPECT_TRUE(store->lease("another thread"));
  EXPECT_TRUE(end(child).success());
  const auto lease = store->lease("thread");
  EXPECT_TRUE(lease);
  sdk::ChildProcess late = start("hold", directory.file);
  EXPECT_EQ(line_of(late), "busy");
  EXPECT_TRUE(end(late).success());
}

TEST(ThreadStoreProcesses, TwoStoresOfOneProcessExcludeEachOther) {
  StoreDirectory directory;
  const auto first = sqlite_thread_store(directory.file), second = sqlite_thread_store(directory.file);
  const auto lease = first->lease("thread");
  EXPECT_TRUE(lease);
  EXPECT_FALSE(second->lease("thread"));
  ASSERT_TRUE(first->save("thread", record("first")));
  EXPECT_FALSE(second->save("thread", record("second")));
  EXPECT_EQ(second->load("thread")->checkpoint_json, "first");
}

}  // namespace
}  // namespace attache::testing
