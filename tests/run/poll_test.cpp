// SPDX-License-Identifier: Apache-2.0
// A stream in a host's own loop.
#include <poll.h>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;

class PollTest : public RunTest {
 protected:
  static bool readable(const Stream& stream, int timeout_ms = 0) {
    pollfd entry{stream.poll_descriptor(), POLLIN, 0};
    return ::poll(&entry, 1, timeout_ms) == 1 && (entry.revents & POLLIN) != 0;
  }
};

TEST_F(PollTest, ReadableWhileNextWouldNotWait) {
  test::Signal inside, leave;
  driver.run = [&](const attache_request&, const Calls& calls) {
    calls.started();
    inside.set();
    leave.wait();
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  Agent agent = RunTest::agent();
  Stream stream = agent.stream("prompt");
  inside.wait();
  ASSERT_GE(stream.poll_descriptor(), 0);
  EXPECT_EQ(stream.poll_descriptor(), stream.poll_descriptor());
  EXPECT_TRUE(readable(stream));
  EXPECT_TRUE(std::holds_alternative<Started>(stream.try_next()->body));
  EXPECT_FALSE(readable(stream));
  EXPECT_FALSE(stream.try_next().has_value());
  EXPECT_FALSE(stream.at_end());
  leave.set();
  ASSERT_TRUE(readable(stream, -1));
  EXPECT_TRUE(std::holds_alternative<Completed>(stream.try_next()->body));
  EXPECT_FALSE(stream.try_next().has_value());
  EXPECT_TRUE(stream.at_end());
  EXPECT_TRUE(readable(stream));  // next() would not wait: there is nothing more
  EXPECT_FALSE(stream.next().has_value());
}

TEST_F(PollTest, ALoopSeesEveryEvent) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    for (int i = 0; i < 500; ++i) calls.text("piece ");
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  AgentOptions with = options();
  with.event_buffer = 3;
  Agent agent(driver.driver(), with);
  Stream stream = agent.stream("prompt");
  std::vector<Event> events;
  while (!stream.at_end()) {
    ASSERT_TRUE(readable(stream, -1));
    while (auto event = stream.try_next()) events.push_back(std::move(*event));
  }
  test::expect_framed(events);
  EXPECT_EQ(test::count_of<TextDelta>(events), 500U);
}

TEST_F(PollTest, TheEndOfARunThatNeverBeganIsReadable) {
  Agent agent = RunTest::agent();
  agent.close();
  Stream stream = agent.stream("prompt");
  EXPECT_TRUE(readable(stream, -1));
  EXPECT_TRUE(stream.at_end());
}

}  // namespace
}  // namespace attache
