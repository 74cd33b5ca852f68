// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

attache_request prompt_only() {
  attache_request request{};
  request.struct_size = sizeof request;
  request.prompt = {"hi", 2};
  return request;
}

class Cancel : public ::testing::Test {
 protected:
  void SetUp() override { script = {}; }
  const attache_request request = prompt_only();
};

/// Cancels as a host does: first its own mark, then the driver.
void cancel(Recorder& host, const Loaded& driver) {
  host.cancel();
  EXPECT_EQ(driver.table->cancel(driver.instance, host.id()), ATTACHE_OK);
}

TEST_F(Cancel, BeforeTheRunKeepsTheDriverFromBeingEntered) {
  const Loaded driver;
  Recorder host;
  cancel(host, driver);
  bool entered = false;
  script.run = [&](const sdk::Request&, sdk::Run&) { entered = true; };
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_CANCELLED);
  EXPECT_FALSE(entered);
  EXPECT_EQ(host.errors().at(0).reason, "cancelled");
  EXPECT_EQ(host.events().back().code, static_cast<std::uint32_t>(ATTACHE_CANCELLED));
}

TEST_F(Cancel, DuringTheRunReachesTheStopCallbackFromTheCancellingThread) {
  const Loaded driver;
  Recorder host;
  std::promise<void> running, stopped;
  std::thread::id from;
  script.run = [&](const sdk::Request&, sdk::Run& run) {
    const std::stop_callback on_stop(run.stop_token(), [&] {
      from = std::this_thread::get_id();
      stopped.set_value();
    });
    running.set_value();
    stopped.get_future().wait();
  };
  attache_status status = ATTACHE_OK;
  std::thread runner([&] { status = driver.table->run(driver.instance, &request, host.id()); });
  running.get_future().wait();
  cancel(host, driver);
  EXPECT_EQ(driver.table->cancel(driver.instance, host.id()), ATTACHE_OK);
  runner.join();
  EXPECT_EQ(status, ATTACHE_CANCELLED);
  EXPECT_EQ(from, std::this_thread::get_id());
}

TEST_F(Cancel, AfterTheRunDoesNothing) {
  const Loaded driver;
  Recorder host;
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_OK);
  EXPECT_EQ(driver.table->cancel(driver.instance, host.id()), ATTACHE_OK);
  EXPECT_EQ(driver.table->cancel(driver.instance, 999999), ATTACHE_OK);
  EXPECT_EQ(host.events().size(), 2u);
}

TEST_F(Cancel, StopsOnlyItsOwnRun) {
  const Loaded driver;
  Recorder first, second;
  std::promise<void> running;
  std::promise<void> other_done;
  const auto first_id = first.id();
  script.run = [&](const sdk::Request&, sdk::Run& run) {
    if (run.id() != first_id) {
      EXPECT_FALSE(run.stop_token().stop_requested());
      return;
    }
    running.set_value();
    other_done.get_future().wait();
    EXPECT_TRUE(run.stop_token().stop_requested());
  };
  attache_status status = ATTACHE_OK;
  std::thread runner([&] { status = driver.table->run(driver.instance, &request, first.id()); });
  running.get_future().wait();
  cancel(first, driver);
  EXPECT_EQ(driver.table->run(driver.instance, &request, second.id()), ATTACHE_OK);
  other_done.set_value();
  runner.join();
  EXPECT_EQ(status, ATTACHE_CANCELLED);
}

TEST_F(Cancel, MakesTheNextReportThrow) {
  const Loaded driver;
  Recorder host;
  bool went_on = false;
  script.run = [&](const sdk::Request&, sdk::Run& run) {
    run.text("before");
    cancel(host, driver);
    run.text("after");
    went_on = true;
  };
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_CANCELLED);
  EXPECT_FALSE(went_on);
}

TEST_F(Cancel, WinsOverWhatTheDriverMakesOfTheEndedProvider) {
  const Loaded driver;
  Recorder host;
  script.run = [&](const sdk::Request&, sdk::Run&) {
    cancel(host, driver);
    throw sdk::Failure(sdk::Status::provider_failed, "no_result", "it ended");
  };
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_CANCELLED);
  ASSERT_EQ(host.errors().size(), 1u);
  EXPECT_EQ(host.errors()[0].status, ATTACHE_CANCELLED);
}

TEST_F(Cancel, OverrideIsCalledWithTheRunAndItsExceptionsStay) {
  const Loaded driver;
  Recorder host;
  std::atomic<sdk::RunId> seen{0};
  script.cancel = [&](sdk::RunId id) {
    seen = id;
    throw 1;
  };
  EXPECT_EQ(driver.table->cancel(driver.instance, host.id()), ATTACHE_OK);
  EXPECT_EQ(seen, host.id());
}

}  // namespace
}  // namespace attache::testing
