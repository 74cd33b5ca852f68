// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fake_driver.hpp"
#include "scratch.hpp"

namespace attache::test {

/// A fake driver, a base for run directories, and agents with a grace that no test waits out by accident.
class RunTest : public ::testing::Test {
 protected:
  /// A worker that was left behind ends after its driver's instance: what it holds must be gone before the process is.
  ~RunTest() override {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (thread_count() > threads_before) {
      if (std::chrono::steady_clock::now() > patience) {
        ADD_FAILURE() << "a thread is left";
        return;
      }
      std::this_thread::yield();
    }
  }
  AgentOptions options() const {
    AgentOptions out;
    out.run_base = scratch.base();
    out.cancel_grace = std::chrono::minutes(1);
    return out;
  }
  AgentOptions short_grace() const {
    AgentOptions out = options();
    out.cancel_grace = std::chrono::milliseconds(20);
    return out;
  }
  Agent agent() { return Agent(driver.driver(), options()); }

  template <class... Options>
  RunError run_error(Agent& to, const Options&... with) {
    try {
      to.run("prompt", with...);
    } catch (const RunError& error) {
      return error;
    }
    ADD_FAILURE() << "no RunError";
    return RunError(errc::internal, "none", "none", {}, std::nullopt);
  }

  /// The plain Error of a call, which must be no RunError.
  template <class Call>
  static Error early_error(Call call) {
    try {
      call();
    } catch (const RunError& error) {
      ADD_FAILURE() << "a RunError: " << error.reason();
      return error;
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "no Error";
    return Error(errc::internal, "none", "none");
  }

  /// With what a sanitizer starts of its own when the process has its first thread.
  const std::size_t threads_before = (std::thread([] {}).join(), thread_count());
  Scratch scratch;
  FakeDriver driver{[](const attache_request&, const Calls& calls) { return calls.answer("answer"); }};
};

inline std::vector<Event> drain(Stream& stream) {
  std::vector<Event> events;
  while (std::optional<Event> event = stream.next()) events.push_back(std::move(*event));
  return events;
}

template <class Body>
std::size_t count_of(const std::vector<Event>& events) {
  std::size_t count = 0;
  for (const Event& event : events) count += std::holds_alternative<Body>(event.body) ? 1 : 0;
  return count;
}

/// One STARTED first, one COMPLETED last, sequence without gaps.
inline void expect_framed(const std::vector<Event>& events) {
  ASSERT_GE(events.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<Started>(events.front().body));
  EXPECT_TRUE(std::holds_alternative<Completed>(events.back().body));
  EXPECT_EQ(count_of<Started>(events), 1U);
  EXPECT_EQ(count_of<Completed>(events), 1U);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].sequence, i + 1);
}

}  // namespace attache::test
