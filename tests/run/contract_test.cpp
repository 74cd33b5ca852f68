// SPDX-License-Identifier: Apache-2.0
// Drivers that break the order of calls.
#include <thread>

#include "loader/loaded_driver.hpp"
#include "run_fixture.hpp"
#include "spi/host_table.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::text_input;

class ContractTest : public RunTest {
 protected:
  /// Runs and gives what the host saw: framed events, then the result.
  Result seen() {
    Agent to = agent();
    Stream stream = to.stream("prompt");
    events = test::drain(stream);
    test::expect_framed(events);
    return stream.result();
  }
  std::vector<Event> events;
};

TEST_F(ContractTest, NothingComesBeforeStarted) {
  driver.run = [](const attache_request&, const Calls& calls) {
    EXPECT_EQ(calls.text("early"), ATTACHE_CONTRACT);
    return calls.answer("answer");
  };
  EXPECT_EQ(seen().contract_violations, 1U);
  EXPECT_EQ(test::count_of<TextDelta>(events), 1U);
}

TEST_F(ContractTest, StartedComesOnce) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    EXPECT_EQ(calls.started(), ATTACHE_CONTRACT);
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  EXPECT_EQ(seen().contract_violations, 1U);
}

TEST_F(ContractTest, NothingComesAfterCompleted) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.answer("answer");
    EXPECT_EQ(calls.text("late"), ATTACHE_CONTRACT);
    EXPECT_EQ(calls.completed("other"), ATTACHE_CONTRACT);
    return ATTACHE_OK;
  };
  const Result result = seen();
  EXPECT_EQ(result.contract_violations, 2U);
  EXPECT_EQ(result.text, "answer");
  EXPECT_EQ(std::get<Completed>(events.back().body).text, "answer");
}

TEST_F(ContractTest, WhatNeverCameIsMadeUpForAndCounted) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.delivery(ATTACHE_DELIVERED);
    return ATTACHE_OK;
  };
  EXPECT_EQ(seen().contract_violations, 2U);
  EXPECT_EQ(events.size(), 2U);
}

TEST_F(ContractTest, WithoutCompletedTheAnswerIsWhatWasStreamed) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    calls.text("half ");
    calls.text("an answer");
    return ATTACHE_OK;
  };
  const Result result = seen();
  EXPECT_EQ(result.contract_violations, 1U);
  EXPECT_EQ(result.text, "half an answer");
}

TEST_F(ContractTest, DeliveryOnlyGrows) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    EXPECT_EQ(calls.delivery(ATTACHE_DELIVERED), ATTACHE_OK);
    EXPECT_EQ(calls.delivery(ATTACHE_DELIVERED), ATTACHE_OK);
    EXPECT_EQ(calls.delivery(ATTACHE_NOT_DELIVERED), ATTACHE_CONTRACT);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  const Result result = seen();
  EXPECT_EQ(result.contract_violations, 1U);
  EXPECT_EQ(result.delivery, Delivery::delivered);
}

TEST_F(ContractTest, ReceiptsAreForInputsOfTheRunAndComeOnce) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    EXPECT_EQ(calls.receipt("input-99", ATTACHE_RECEIPT_EXACT), ATTACHE_CONTRACT);
    const std::string_view id = test::view(request.inputs[0]->id);
    EXPECT_EQ(calls.receipt(id, ATTACHE_RECEIPT_ALTERED), ATTACHE_OK);
    EXPECT_EQ(calls.receipt(id, ATTACHE_RECEIPT_EXACT), ATTACHE_CONTRACT);
    EXPECT_EQ(calls.notice("slug", "text", "input-99"), ATTACHE_CONTRACT);
    EXPECT_EQ(calls.notice("No Slug", "text"), ATTACHE_CONTRACT);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  const std::string text = "text";
  const Result result = agent().run("read", with_inputs(text_input(text)));
  EXPECT_EQ(result.contract_violations, 4U);
  EXPECT_EQ(result.receipts.at(0).outcome, Receipt::Outcome::altered);
}

TEST_F(ContractTest, TextsAreUtf8AndJsonIsJson) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    EXPECT_EQ(calls.text("\xED\xA0\x80"), ATTACHE_CONTRACT);
    attache_event usage = test::event(ATTACHE_EVENT_USAGE);
    usage.json = test::span("{broken");
    EXPECT_EQ(calls.emit(usage), ATTACHE_CONTRACT);
    EXPECT_EQ(calls.checkpoint("{broken"), ATTACHE_CONTRACT);
    EXPECT_EQ(calls.raw("\xED\xA0\x80"), ATTACHE_OK);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  EXPECT_EQ(seen().contract_violations, 3U);
}

TEST_F(ContractTest, UnknownEventTypesAreIgnored) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    EXPECT_EQ(calls.emit(test::event(4711)), ATTACHE_OK);
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("answer");
    return ATTACHE_OK;
  };
  EXPECT_EQ(seen().contract_violations, 0U);
  EXPECT_EQ(events.size(), 2U);
}

TEST_F(ContractTest, TheStatusOfCompletedIsTheOneReturned) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("answer", ATTACHE_PROVIDER_FAILED);
    return ATTACHE_OK;
  };
  EXPECT_EQ(seen().contract_violations, 1U);
  EXPECT_TRUE(std::get<Completed>(events.back().body).ok);
}

TEST_F(ContractTest, AnErrorToldBeforeSuccessIsCounted) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.error(ATTACHE_PROVIDER_FAILED, "why", "text");
    return calls.answer("answer");
  };
  EXPECT_EQ(seen().contract_violations, 1U);
}

TEST_F(ContractTest, ALateCallDoesNothing) {
  attache_run kept = 0;
  driver.run = [&](const attache_request&, const Calls& calls) {
    kept = calls.handle();
    return calls.answer("answer");
  };
  Agent to = agent();
  Stream stream = to.stream("prompt");
  events = test::drain(stream);
  const std::uint64_t before = spi::late_calls();
  const Calls late(kept);
  EXPECT_EQ(late.text("late"), ATTACHE_CONTRACT);
  EXPECT_EQ(late.completed("late"), ATTACHE_CONTRACT);
  EXPECT_EQ(late.delivery(ATTACHE_DELIVERED), ATTACHE_CONTRACT);
  EXPECT_EQ(late.error(ATTACHE_INTERNAL, "late", "late"), ATTACHE_CONTRACT);
  EXPECT_TRUE(late.cancelled());
  EXPECT_EQ(spi::late_calls(), before + 5);
  EXPECT_EQ(stream.result().text, "answer");
}

TEST_F(ContractTest, ALateCallDoesNotReachTheNextRun) {
  attache_run kept = 0;
  driver.run = [&](const attache_request&, const Calls& calls) {
    if (kept != 0) {
      EXPECT_EQ(Calls(kept).started(), ATTACHE_CONTRACT);
    }
    kept = calls.handle();
    return calls.answer("answer");
  };
  Agent to = agent();
  to.run("one");
  EXPECT_EQ(to.run("two").contract_violations, 0U);
}

TEST_F(ContractTest, R_H1_InputsLiveUntilTheLastReferenceIsReleased) {
  const std::string text = "some text";
  test::Signal returned;
  std::thread source;
  std::string late_read;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    EXPECT_EQ(calls.retain(), ATTACHE_OK);
    source = std::thread([&request, &late_read, &returned, calls] {
      returned.wait();
      late_read = test::read_file(std::string(test::view(request.inputs[0]->local_path)));
      EXPECT_EQ(calls.completed("from the source"), ATTACHE_OK);
      EXPECT_EQ(calls.release(), ATTACHE_OK);
    });
    return ATTACHE_OK;
  };
  driver.cancel = nullptr;
  Agent to = agent();
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  returned.set();
  EXPECT_EQ(stream.result().text, "from the source");
  source.join();
  EXPECT_EQ(late_read, text);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(ContractTest, AReferenceThatIsNeverReleasedFencesTheInstance) {
  const std::string text = "some text";
  attache_run kept = 0;
  driver.run = [&](const attache_request&, const Calls& calls) {
    kept = calls.handle();
    calls.retain();
    return calls.answer("answer");
  };
  {
    Agent to(driver.driver(), short_grace());
    const RunError error = run_error(to, with_inputs(text_input(text)));
    EXPECT_EQ(error.code(), errc::driver_contract);
    EXPECT_EQ(error.reason(), "reference_held");
    EXPECT_EQ(error.result().text, "answer");
    EXPECT_EQ(scratch.run_directories(), 1U);  // the driver may still read it
    const Error next = early_error([&] { to.run("again"); });
    EXPECT_EQ(next.code(), errc::driver_contract);
    EXPECT_EQ(next.reason(), "instance_quarantined");
    EXPECT_EQ(driver.entered, 1);
  }
  EXPECT_EQ(driver.destroyed, 0);
  test::Signal destroyed;
  driver.destroy = [&] { destroyed.set(); };
  EXPECT_EQ(Calls(kept).release(), ATTACHE_CONTRACT);  // late, but it counts
  destroyed.wait();
  while (driver.destroyed == 0) std::this_thread::yield();
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(ContractTest, ATableWithoutAMandatoryFunctionIsRefused) {
  const Driver whole = driver.driver();
  auto loaded = std::make_shared<LoadedDriver>(DriverAccess::get(whole));
  attache_driver shorter = *loaded->table;
  shorter.struct_size = offsetof(attache_driver, cancel);
  loaded->table = &shorter;
  const Error error = early_error([&] { Agent(DriverAccess::make(loaded), options()); });
  EXPECT_EQ(error.code(), errc::driver_contract);
  EXPECT_EQ(error.reason(), "function_missing");
}

}  // namespace
}  // namespace attache
