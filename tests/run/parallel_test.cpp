// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::text_input;

class ParallelTest : public RunTest {};

TEST_F(ParallelTest, ThirtyTwoRunsShareNothing) {
  std::mutex mutex;
  std::set<std::string> paths;
  std::atomic<int> inside{0}, most{0};
  driver.run = [&](const attache_request& request, const Calls& calls) {
    const int now = ++inside;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    const std::string path(test::view(request.inputs[0]->local_path));
    {
      std::lock_guard lock(mutex);
      paths.insert(path);
    }
    const std::string content = test::read_file(path);
    --inside;
    return calls.answer(content);
  };
  Agent to = agent();
  std::vector<std::thread> hosts;
  for (int i = 0; i < 32; ++i) {
    hosts.emplace_back([&to, i] {
      const std::string own = "content of run " + std::to_string(i);
      if (i % 2 == 0) {
        EXPECT_EQ(to.run("read", with_inputs(text_input(own))).text, own);
      } else {
        Stream stream = to.stream("read", with_inputs(text_input(own)));
        test::expect_framed(test::drain(stream));
        EXPECT_EQ(stream.result().text, own);
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(paths.size(), 32U);
  EXPECT_LE(most, 8);
  EXPECT_EQ(driver.entered, 32);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

class OneAtATime : public ParallelTest {
 protected:
  void SetUp() override {
    const std::string eight = "\"max_parallel_runs\": 8";
    driver.descriptor_json.replace(driver.descriptor_json.find(eight), eight.size(), "\"max_parallel_runs\": 1");
    driver.run = [this](const attache_request&, const Calls& calls) {
      inside.set();
      leave.wait();
      return calls.answer("answer");
    };
  }
  test::Signal inside, leave;
};

TEST_F(OneAtATime, AFurtherRunWaitsAndCanBeCancelled) {
  const std::string text = "text";
  Agent to = agent();
  Stream first = to.stream("one");
  inside.wait();
  Stream second = to.stream("two", with_inputs(text_input(text)));
  second.cancel();
  const Error error = early_error([&] { second.result(); });
  EXPECT_EQ(error.code(), errc::cancelled);
  EXPECT_EQ(driver.entered, 1);
  EXPECT_EQ(scratch.run_directories(), 0U);
  leave.set();
  EXPECT_EQ(first.result().text, "answer");
  EXPECT_EQ(to.run("three").text, "answer");
}

TEST_F(OneAtATime, ADeadlinePassesWhileWaiting) {
  Agent to = agent();
  Stream first = to.stream("one");
  inside.wait();
  const Error error = early_error([&] { to.run("two", with_deadline(std::chrono::milliseconds(10))); });
  EXPECT_EQ(error.code(), errc::timeout);
  EXPECT_TRUE(retry_safe(error));
  leave.set();
  EXPECT_EQ(first.result().text, "answer");
}

TEST_F(OneAtATime, ClosingTheAgentEndsWaitingRuns) {
  driver.cancel = [this](const Calls&) { leave.set(); };
  Agent to = agent();
  Stream first = to.stream("one");
  inside.wait();
  Stream second = to.stream("two");
  to.close();
  EXPECT_EQ(first.result().text, "answer");
  EXPECT_EQ(early_error([&] { second.result(); }).code(), errc::agent_closed);
  EXPECT_EQ(driver.entered, 1);
}

}  // namespace
}  // namespace attache
