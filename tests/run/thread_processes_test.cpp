// SPDX-License-Identifier: Apache-2.0
// One thread, two hosts.
#include "../thread/fixture.hpp"
#include "thread_fixture.hpp"

namespace attache {
namespace {

using test::ThreadTest;

class ThreadProcessesTest : public ThreadTest {
 protected:
  ThreadProcessesTest() {
    store = sqlite_thread_store(directory.file);
    provider.sessions["session-1"] = {"of the other host"};
  }
  testing::StoreDirectory directory;
};

TEST_F(ThreadProcessesTest, OneTurnAtATimeAndTheOtherResumesFromIt) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  sdk::ChildProcess child = testing::start("one", directory.file);
  EXPECT_EQ(testing::line_of(child), "inside");
  EXPECT_EQ(early_error([&] { thread.run("two"); }).code(), errc::thread_busy);
  EXPECT_EQ(agent.thread("another key").run("two").text, "answer 1");
  EXPECT_TRUE(testing::end(child).success());
  EXPECT_EQ(thread.run("two").text, "answer 2");
  EXPECT_EQ(provider.seen[1].checkpoint, R"({"session":"session-1"})");
}

TEST_F(ThreadProcessesTest, AHostThatIsKilledInMidTurnLeavesTheThreadFreeAsItWas) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  const std::string before = checkpoint();
  sdk::ChildProcess child = testing::start("two", directory.file);
  // The child's provider has no such session: it restarts the thread, and is in the middle of that.
  EXPECT_EQ(testing::line_of(child), "inside");
  EXPECT_EQ(early_error([&] { thread.run("three"); }).code(), errc::thread_busy);
  child.end(std::chrono::seconds(0));
  EXPECT_EQ(checkpoint(), before);
  EXPECT_FALSE(thread.tainted());
  EXPECT_EQ(thread.run("three").text, "answer 2");
}

TEST_F(ThreadProcessesTest, AHostThatIsKilledInATurnThatTheProviderSawLeavesItTainted) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  const std::string before = checkpoint();
  sdk::ChildProcess child = testing::start("two", directory.file, {"session-1"});
  EXPECT_EQ(testing::line_of(child), "inside");
  child.end(std::chrono::seconds(0));
  EXPECT_EQ(checkpoint(), before);
  EXPECT_TRUE(thread.tainted());
  EXPECT_TRUE(thread.run("three").thread_tainted);
}

}  // namespace
}  // namespace attache
