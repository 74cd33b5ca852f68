// SPDX-License-Identifier: Apache-2.0
// Ends of runs that the driver did not choose.
#include <atomic>
#include <thread>

#include "run_fixture.hpp"
#include "spi/host_table.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::Signal;
using test::text_input;

class CancelTest : public RunTest {
 protected:
  /// The driver works until it is told to stop.
  void wait_for_cancel() {
    driver.run = [this](const attache_request&, const Calls& calls) {
      calls.started();
      calls.delivery(ATTACHE_INDETERMINATE);
      entered.set();
      told.wait();
      EXPECT_TRUE(calls.cancelled());
      calls.completed("partial", ATTACHE_CANCELLED);
      return ATTACHE_CANCELLED;
    };
    driver.cancel = [this](const Calls&) { told.set(); };
  }
  /// The driver ignores cancel until the test lets it go.
  void never_listen() {
    driver.run = [this](const attache_request& request, const Calls& calls) {
      calls.started();
      calls.delivery(ATTACHE_INDETERMINATE);
      calls.text("seen ");
      path = request.input_count == 0 ? "" : std::string(test::view(request.inputs[0]->local_path));
      entered.set();
      let_go.wait();
      EXPECT_EQ(calls.text("late"), ATTACHE_CONTRACT);
      return ATTACHE_OK;
    };
  }
  /// After a stuck driver: lets it return and waits until nothing of it is left.
  void let_it_return() {
    Signal destroyed;
    driver.destroy = [&] { destroyed.set(); };
    let_go.set();
    destroyed.wait();
    while (driver.destroyed == 0) std::this_thread::yield();
  }
  Signal entered, told, let_go;
  std::string path;
  const std::string text = "some text";
};

TEST_F(CancelTest, AStreamCanBeCancelledWhileTheDriverWorks) {
  wait_for_cancel();
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  entered.wait();
  EXPECT_EQ(scratch.run_directories(), 1U);
  stream.cancel();
  stream.cancel();
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  EXPECT_FALSE(std::get<Completed>(events.back().body).ok);
  try {
    stream.result();
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::cancelled);
    EXPECT_EQ(error.reason(), "cancelled");
    EXPECT_EQ(error.delivery(), Delivery::indeterminate);
    EXPECT_EQ(error.result().text, "partial");
    EXPECT_EQ(error.result().contract_violations, 0U);
  }
  EXPECT_THROW(stream.result(), RunError);
  EXPECT_EQ(driver.cancels, 1);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(CancelTest, AStopTokenCancels) {
  wait_for_cancel();
  Agent to = agent();
  std::stop_source stop;
  std::thread stopper([&] {
    entered.wait();
    stop.request_stop();
  });
  EXPECT_EQ(run_error(to, with_stop_token(stop.get_token())).code(), errc::cancelled);
  stopper.join();
}

TEST_F(CancelTest, AStopBeforeTheRunEntersNothing) {
  Agent to = agent();
  std::stop_source stop;
  stop.request_stop();
  const Error error =
      early_error([&] { to.run("p", with_inputs(text_input(text)), with_stop_token(stop.get_token())); });
  EXPECT_EQ(error.code(), errc::cancelled);
  EXPECT_TRUE(retry_safe(error));
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(CancelTest, ADriverThatFinishesAllTheSameKeepsItsResult) {
  driver.run = [this](const attache_request&, const Calls& calls) {
    calls.started();
    entered.set();
    told.wait();
    calls.delivery(ATTACHE_DELIVERED);
    EXPECT_EQ(calls.completed("done"), ATTACHE_CANCELLED);
    return ATTACHE_OK;
  };
  driver.cancel = [this](const Calls&) { told.set(); };
  Agent to = agent();
  Stream stream = to.stream("prompt");
  entered.wait();
  stream.cancel();
  EXPECT_EQ(stream.result().text, "done");
}

TEST_F(CancelTest, ALaunchIsNotTriedAgainOnceCancelled) {
  driver.run = [this](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_NOT_DELIVERED);
    entered.set();
    told.wait();
    calls.completed("", ATTACHE_LAUNCH_FAILED);
    return ATTACHE_LAUNCH_FAILED;
  };
  driver.cancel = [this](const Calls&) { told.set(); };
  Agent to = agent();
  Stream stream = to.stream("prompt");
  entered.wait();
  stream.cancel();
  EXPECT_THROW(stream.result(), RunError);
  EXPECT_EQ(driver.entered, 1);
}

TEST_F(CancelTest, ADeadlineIsPassedOnAndEnforced) {
  std::uint64_t told_ms = 0;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    told_ms = request.deadline_ms;
    EXPECT_EQ(request.idle_ms, 0U);
    calls.started();
    told.wait();
    return ATTACHE_CANCELLED;
  };
  driver.cancel = [this](const Calls&) { told.set(); };
  Agent to = agent();
  const RunError error = run_error(to, with_deadline(std::chrono::milliseconds(40)));
  EXPECT_EQ(error.code(), errc::timeout);
  EXPECT_EQ(error.reason(), "deadline");
  EXPECT_GE(told_ms, 1U);
  EXPECT_LE(told_ms, 40U);
}

TEST_F(CancelTest, R_L2_ASilentDriverIsEndedAfterTheIdleLimit) {
  std::uint64_t told_ms = 0;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    told_ms = request.idle_ms;
    calls.started();
    told.wait();
    return ATTACHE_CANCELLED;
  };
  driver.cancel = [this](const Calls&) { told.set(); };
  Agent to(driver.driver(), short_grace());
  Stream stream = to.stream("prompt", with_idle_limit(std::chrono::milliseconds(10)));
  told.wait();
  try {
    stream.result();
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::timeout);
    EXPECT_EQ(error.reason(), "idle");
  }
  EXPECT_EQ(told_ms, 10U);
  EXPECT_EQ(driver.entered, 1);
}

TEST_F(CancelTest, ADriverThatIgnoresCancelIsLeftBehind) {
  never_listen();
  {
    Agent to(driver.driver(), short_grace());
    Stream stream = to.stream("read", with_inputs(text_input(text)));
    entered.wait();
    stream.cancel();
    const std::vector<Event> events = test::drain(stream);
    test::expect_framed(events);
    try {
      stream.result();
      ADD_FAILURE();
    } catch (const RunError& error) {
      EXPECT_EQ(error.code(), errc::driver_contract);
      EXPECT_EQ(error.reason(), "driver_stuck");
      EXPECT_EQ(error.delivery(), Delivery::indeterminate);
    }
    EXPECT_EQ(test::read_file(path), text);  // it may still be read
    EXPECT_EQ(early_error([&] { to.run("again"); }).reason(), "instance_quarantined");
  }
  EXPECT_EQ(driver.destroyed, 0);
  let_it_return();
  EXPECT_EQ(scratch.run_directories(), 0U);
  EXPECT_EQ(driver.entered, 1);
}

TEST_F(CancelTest, ACancelFunctionThatNeverReturnsIsBounded) {
  never_listen();
  driver.cancel = [this](const Calls&) { let_go.wait(); };
  {
    Agent to(driver.driver(), short_grace());
    Stream stream = to.stream("prompt");
    entered.wait();
    stream.cancel();
    EXPECT_THROW(stream.result(), RunError);
  }
  let_it_return();
}

TEST_F(CancelTest, CancelIsJoinedBeforeTheInstanceGoes) {
  Signal inside, leave;
  std::atomic<bool> cancel_returned{false}, early_destroy{false};
  driver.run = [this, &inside](const attache_request&, const Calls& calls) {
    calls.started();
    entered.set();
    inside.wait();
    return ATTACHE_CANCELLED;
  };
  driver.cancel = [&](const Calls&) {
    inside.set();
    leave.wait();
    cancel_returned = true;
  };
  driver.destroy = [&] { early_destroy = !cancel_returned; };
  {
    Agent to = agent();
    Stream stream = to.stream("prompt");
    entered.wait();
    stream.cancel();
    inside.wait();
    leave.set();
    EXPECT_THROW(stream.result(), RunError);
    EXPECT_TRUE(cancel_returned);
  }
  EXPECT_FALSE(early_destroy);
}

TEST_F(CancelTest, DroppingAStreamEndsItsRun) {
  wait_for_cancel();
  Agent to = agent();
  {
    const Stream stream = to.stream("read", with_inputs(text_input(text)));
    entered.wait();
  }
  EXPECT_EQ(driver.cancels, 1);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(CancelTest, ADriverBlockedOnAFullQueueIsWoken) {
  AgentOptions with = options();
  with.event_buffer = 4;
  Signal full;
  attache_status last = ATTACHE_OK;
  driver.run = [&](const attache_request&, const Calls& calls) {
    calls.started();
    for (int i = 0; i < 3; ++i) calls.text("x");
    full.set();
    while (last == ATTACHE_OK) last = calls.text("x");
    calls.completed("", ATTACHE_CANCELLED);
    return ATTACHE_CANCELLED;
  };
  Agent to(driver.driver(), with);
  Stream stream = to.stream("prompt");
  full.wait();
  stream.cancel();
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  EXPECT_EQ(last, ATTACHE_CANCELLED);
  EXPECT_THROW(stream.result(), RunError);
}

TEST_F(CancelTest, ClosingTheAgentEndsItsRuns) {
  wait_for_cancel();
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  entered.wait();
  to.close();
  EXPECT_EQ(driver.destroyed, 1);
  EXPECT_EQ(scratch.run_directories(), 0U);
  try {
    stream.result();
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::cancelled);
    EXPECT_EQ(error.reason(), "agent_closed");
  }
}

TEST_F(CancelTest, ClosingIsBoundedWhenDestroyDoesNotReturn) {
  Signal over;
  driver.destroy = [&] { let_go.wait(); };
  {
    Agent to(driver.driver(), short_grace());
    to.run("prompt");
  }
  EXPECT_EQ(driver.destroyed, 0);
  let_go.set();
  while (driver.destroyed == 0) std::this_thread::yield();
}

}  // namespace
}  // namespace attache
