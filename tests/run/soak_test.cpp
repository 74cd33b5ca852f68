// SPDX-License-Identifier: Apache-2.0
// A host that lives long: nothing piles up.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "thread_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::text_input;
using test::ThreadTest;

std::size_t entries(const char* directory) {
  const std::filesystem::directory_iterator all(directory);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// Kibibytes, or a count: a line of /proc/self/status.
std::size_t status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  }
  ADD_FAILURE() << name;
  return 0;
}

std::size_t children() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (std::string id; file >> id;) ++count;
  }
  return count;
}

struct Holdings {
  std::size_t descriptors = entries("/proc/self/fd"), threads = status("Threads"), child_processes = children(),
              resident = status("VmRSS");
};

class SoakTest : public ThreadTest {
 protected:
  /// One of each way to run.
  void run_each(Agent& agent, int i) {
    const std::string content = test::long_text(4096);
    agent.run("text");
    agent.run("inputs", with_inputs(text_input(content)));
    Thread thread = agent.thread("key " + std::to_string(i % 4));
    thread.run("turn", with_inputs(text_input(content)));
    Stream stream = thread.stream("turn", with_inputs(text_input(content)));
    EXPECT_GE(stream.poll_descriptor(), 0);
    for (const Event& event : stream) EXPECT_GT(event.sequence, 0U);
    const Stream dropped = agent.stream("dropped", with_inputs(text_input(content)));
  }
};

TEST_F(SoakTest, AThousandRunsLeaveNothing) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    if (request.thread.size > 0) calls.checkpoint("{}");
    return calls.answer("answer");
  };
  Agent agent = thread_agent();
  for (int i = 0; i < 100; ++i) run_each(agent, i);
  const Holdings before;
  for (int i = 0; i < 200; ++i) run_each(agent, i);
  const Holdings after;
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.threads, before.threads);
  EXPECT_EQ(after.child_processes, 0U);
  EXPECT_EQ(scratch.run_directories(), 0U);
  // Inputs of the runs measured: 4 MiB. Sanitizers keep freed memory for a while.
  EXPECT_LT(after.resident, before.resident + ATTACHE_SOAK_SLACK_KIB);
}

TEST_F(SoakTest, SixtyFourRunsWithRandomCancels) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_NOT_DELIVERED);
    const std::string content = test::read_file(std::string(test::view(request.inputs[0]->local_path)));
    calls.delivery(ATTACHE_INDETERMINATE);
    for (std::size_t i = 0; i < content.size(); ++i) {
      if (calls.text(content.substr(i, 1)) != ATTACHE_OK) {
        calls.completed("", ATTACHE_CANCELLED);
        return ATTACHE_CANCELLED;
      }
    }
    calls.delivery(ATTACHE_DELIVERED);
    calls.checkpoint("{}");
    calls.completed(content);
    return ATTACHE_OK;
  };
  AgentOptions with = with_store();
  with.event_buffer = 8;
  Agent agent(driver.driver(), with);
  std::atomic<int> answered{0}, cancelled{0};
  std::vector<std::thread> hosts;
  for (unsigned i = 0; i < 64; ++i) {
    hosts.emplace_back([&, i] {
      std::mt19937 random(i);
      const std::string own = "content of run " + std::to_string(i);
      const RunOption inputs = with_inputs(text_input(own));
      Stream stream =
          i % 4 == 0 ? agent.thread("key " + std::to_string(i)).stream("read", inputs) : agent.stream("read", inputs);
      const auto cancel_after = static_cast<int>(random() % 40);
      for (int taken = 0; stream.next().has_value(); ++taken) {
        if (taken == cancel_after && i % 3 != 0) stream.cancel();
      }
      try {
        EXPECT_EQ(stream.result().text, own);
        ++answered;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), errc::cancelled);
        ++cancelled;
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(answered + cancelled, 64);
  EXPECT_GE(answered, 22);  // those that nobody cancelled
  EXPECT_GE(cancelled, 1);
  EXPECT_EQ(scratch.run_directories(), 0U);
  for (unsigned i = 0; i < 64; i += 4) EXPECT_TRUE(is_free("key " + std::to_string(i)));
}

}  // namespace
}  // namespace attache
