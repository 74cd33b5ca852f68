// SPDX-License-Identifier: Apache-2.0
// What both stores promise.
#include <atomic>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace attache::testing {
namespace {

class Stores : public ::testing::TestWithParam<bool> {
 protected:
  StoreDirectory directory;
  std::shared_ptr<ThreadStore> store = GetParam() ? sqlite_thread_store(directory.file) : memory_thread_store();
};

TEST_P(Stores, GivesBackWhatWasSaved) {
  EXPECT_FALSE(store->load("a"));
  ThreadRecord made = record("{\"session\":\"\xc3\xa4\"}");
  made.tainted = true;
  EXPECT_TRUE(store->save("a", made));
  EXPECT_TRUE(store->save("b", record("")));
  const auto loaded = store->load("a");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->fingerprint, made.fingerprint);
  EXPECT_EQ(loaded->checkpoint_json, made.checkpoint_json);
  EXPECT_TRUE(loaded->tainted);
  EXPECT_GT(loaded->revision, 0u);
  const auto other = store->load("b");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->checkpoint_json, "");
  EXPECT_FALSE(other->tainted);
}

TEST_P(Stores, OneOfTwoSavesFromTheSameRevisionLoses) {
  ASSERT_TRUE(store->save("a", record("1")));
  EXPECT_FALSE(store->save("a", record("none yet, says who did not look")));
  const ThreadRecord first = *store->load("a");
  EXPECT_TRUE(store->save("a", record("2", first.revision)));
  EXPECT_FALSE(store->save("a", record("late", first.revision)));
  EXPECT_EQ(store->load("a")->checkpoint_json, "2");
  EXPECT_GT(store->load("a")->revision, first.revision);
  EXPECT_FALSE(store->save("b", record("of a thread that is not there", first.revision)));
  EXPECT_FALSE(store->save("b", record("", ~std::uint64_t{0})));
  EXPECT_FALSE(store->load("b"));
}

TEST_P(Stores, AnOldRevisionDoesNotFitAThreadThatWasMadeAgain) {
  ASSERT_TRUE(store->save("a", record("old")));
  const std::uint64_t old = store->load("a")->revision;
  store->erase("a");
  EXPECT_FALSE(store->load("a"));
  store->erase("a");
  ASSERT_TRUE(store->save("a", record("new")));
  EXPECT_FALSE(store->save("a", record("late", old)));
  EXPECT_EQ(store->load("a")->checkpoint_json, "new");
}

TEST_P(Stores, ALeaseIsHeldOnce) {
  auto first = store->lease("a");
  ASSERT_TRUE(first);
  EXPECT_FALSE(store->lease("a"));
  EXPECT_FALSE(store->lease("a")) << "the attempt freed it";
  EXPECT_TRUE(store->lease("b"));
  first.reset();
  first = store->lease("a");
  EXPECT_TRUE(first);
  store.reset();
  first.reset();  // may outlive the store
}

TEST_P(Stores, AKeyIsOpaque) {
  const std::string keys[] = {
      " ",   "../../etc/passwd", "a/b", "A",        "a",         "'; DROP TABLE thread; --", "\n",
      "-rf", "\xff\xfe",         ".",   "\xc3\xa4", "a\xcc\x88", std::string(4096, 'k')};
  for (const std::string& key : keys) ASSERT_TRUE(store->save(key, record(key))) << key;
  std::vector<std::unique_ptr<ThreadLease>> leases;
  for (const std::string& key : keys) {
    EXPECT_EQ(store->load(key)->checkpoint_json, key);
    leases.push_back(store->lease(key));
    EXPECT_TRUE(leases.back()) << key;
  }
}

TEST_P(Stores, KeysThatAreNoneAreRefused) {
  using namespace std::string_view_literals;
  const std::string long_key(1 << 20, 'k');
  for (const std::string_view key :
       {""sv, "\0"sv, "a\0b"sv, std::string_view(long_key).substr(0, 4097), std::string_view(long_key)}) {
    EXPECT_EQ(refusal([&] { store->load(key); }), "key_invalid");
    EXPECT_EQ(refusal([&] { store->save(key, record("")); }), "key_invalid");
    EXPECT_EQ(refusal([&] { store->erase(key); }), "key_invalid");
    EXPECT_EQ(refusal([&] { store->lease(key); }), "key_invalid");
  }
}

TEST_P(Stores, EightThreadsSaveTwoHundredTimesEach) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this] {
      for (int done = 0; done < 200;) {
        ThreadRecord next = store->load("counter").value_or(record("0"));
        next.checkpoint_json = std::to_string(std::stoi(next.checkpoint_json) + 1);
        if (store->save("counter", next)) ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->load("counter")->checkpoint_json, "1600");
}

TEST_P(Stores, OneOfManyThreadsHasTheLease) {
  std::vector<std::thread> threads;
  std::atomic<int> inside{0}, taken{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int done = 0; done < 50;) {
        const auto lease = store->lease("a");
        if (!lease) continue;
        EXPECT_EQ(++inside, 1);
        --inside;
        ++taken;
        ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 400);
}

INSTANTIATE_TEST_SUITE_P(All, Stores, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "Sqlite" : "Memory"; });

}  // namespace
}  // namespace attache::testing
