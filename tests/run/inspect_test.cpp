// SPDX-License-Identifier: Apache-2.0
// inspect() and prepare(), and inputs that wait for an inspection.
#include <atomic>

#include <gmock/gmock.h>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::FakeDriver;
using test::RunTest;
using test::text_input;
using testing::HasSubstr;
using testing::Not;

constexpr const char* no_modes = R"({"modes": []})";

std::string inspection(const std::string& file, const std::string& rest = "") {
  return std::string(R"({"version": "1.2", "inputs": {"image": )") + no_modes + R"(, "file": )" + file +
         R"(, "audio": )" + no_modes + R"(, "video": )" + no_modes + "}" + rest + "}";
}

constexpr const char* small_text =
    R"({"modes": [{"mode": "native", "media_types": ["text/plain"], "max_bytes": 10, "encoding": "text"}]})";

class InspectTest : public RunTest {
 protected:
  /// The inspection puts this document.
  void tells(std::string json) {
    driver.inspect = [this, json](attache_sink sink) {
      ++inspections;
      return FakeDriver::put(sink, json);
    };
  }
  void text_waits() {
    driver.describe(R"("media_types": ["text/plain"])", R"("needs_inspection": true, "media_types": ["text/plain"])");
  }
  std::atomic<int> inspections{0};
};

TEST_F(InspectTest, WithoutTheFunctionNothingIsKnown) {
  Agent agent = RunTest::agent();
  EXPECT_EQ(agent.inspect(), "{}");
  agent.prepare();
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(InspectTest, ItNarrowsWhatLaterRunsMayUse) {
  tells(inspection(small_text));
  Agent agent = RunTest::agent();
  agent.run("read", with_inputs(text_input("longer than ten")));
  EXPECT_EQ(inspections, 0);
  EXPECT_THAT(agent.inspect(), HasSubstr("1.2"));
  try {
    agent.run("read", with_inputs(text_input("longer than ten")));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), errc::input_too_large);
    EXPECT_EQ(error.limit(), 10U);
  }
  EXPECT_FALSE(agent.plan(with_inputs(text_input("longer than ten"))).ok());
  EXPECT_TRUE(agent.capabilities().file.modes.at(0).max_bytes > 10U);  // of the configuration
  EXPECT_EQ(inspections, 1);
}

TEST_F(InspectTest, R_D3_R_E9_AModelThatTakesNoneIsFoundBeforeTheRun) {
  text_waits();
  tells(inspection(no_modes));
  Agent agent = RunTest::agent();
  for (int i = 0; i < 2; ++i) {
    try {
      agent.run("read", with_inputs(text_input("text")));
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_EQ(error.code(), errc::input_kind_unsupported);
    }
  }
  EXPECT_EQ(inspections, 1);
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(agent.run("text alone").text, "answer");
}

TEST_F(InspectTest, R_E9_AnInputThatNeedsOneIsInspectedForOnce) {
  text_waits();
  tells(inspection(small_text));
  Agent agent = RunTest::agent();
  EXPECT_EQ(agent.run("no input").text, "answer");
  EXPECT_EQ(inspections, 0);
  EXPECT_FALSE(agent.plan(with_inputs(text_input("text"))).ok());
  EXPECT_EQ(inspections, 0);
  agent.run("read", with_inputs(text_input("text")));
  agent.run("read", with_inputs(text_input("text")));
  EXPECT_EQ(inspections, 1);
  EXPECT_TRUE(agent.plan(with_inputs(text_input("text"))).ok());
}

TEST_F(InspectTest, WhatItDoesNotNameIsNotConfirmed) {
  text_waits();
  tells(R"({"version": "1"})");
  Agent agent = RunTest::agent();
  EXPECT_THROW(agent.run("read", with_inputs(text_input("text"))), InputError);
  EXPECT_EQ(inspections, 1);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(InspectTest, AFailureIsTypedAndNothingIsDelivered) {
  text_waits();
  bool works = false;
  driver.inspect = [&](attache_sink sink) {
    return works ? FakeDriver::put(sink, inspection(small_text))
                 : FakeDriver::fail(sink, ATTACHE_LAUNCH_FAILED, "not_there", "no secret-value here");
  };
  AgentOptions with = options();
  with.config = R"({"token": "secret-value"})";
  std::string detail;
  with.diagnostics = [&](const Diagnostic& told) { detail = told.where + ": " + told.text; };
  Agent agent(driver.driver(), with);
  const Error error = early_error([&] { agent.run("read", with_inputs(text_input("text"))); });
  EXPECT_EQ(error.code(), errc::launch_failed);
  EXPECT_EQ(error.reason(), "not_there");
  EXPECT_THAT(error.what(), Not(HasSubstr("secret-value")));
  EXPECT_EQ(detail, "driver: inspection failed: not_there: no secret-value here");
  EXPECT_EQ(early_error([&] { agent.inspect(); }).code(), errc::launch_failed);
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(scratch.run_directories(), 0U);
  works = true;
  EXPECT_EQ(agent.run("read", with_inputs(text_input("text"))).text, "answer");
}

TEST_F(InspectTest, ADriverMayNotClaimMoreThanItsConfiguration) {
  const std::string large =
      R"({"modes": [{"mode": "native", "media_types": ["text/plain"], "max_bytes": 2000000, "encoding": "text"}]})";
  for (const auto& [document, reason] :
       {std::pair{inspection(large), "inspection_widened"}, std::pair{std::string("[]"), "inspection_invalid"},
        std::pair{std::string("{\"inputs\": 1}"), "inspection_invalid"},
        std::pair{std::string("no JSON"), "inspection_invalid"}}) {
    tells(document);
    Agent agent = RunTest::agent();
    const Error error = early_error([&] { agent.inspect(); });
    EXPECT_EQ(error.code(), errc::driver_contract) << document;
    EXPECT_EQ(error.reason(), reason) << document;
    EXPECT_EQ(agent.run("read", with_inputs(text_input("longer than ten"))).text, "answer");
  }
}

TEST_F(InspectTest, LimitsOfTheConfigurationStay) {
  driver.capabilities = [](attache_sink sink) {
    const std::string json = inspection(small_text, R"(, "limits": {"max_count": 1})");
    return FakeDriver::put(sink, "{" + json.substr(json.find("\"inputs\"")));
  };
  tells(inspection(small_text));
  Agent agent = RunTest::agent();
  agent.inspect();
  EXPECT_THROW(agent.run("read", with_inputs(text_input("one"), text_input("two"))), InputError);
}

TEST_F(InspectTest, PrepareMakesNothing) {
  int prepared = 0;
  driver.prepare = [&](attache_sink) {
    ++prepared;
    return ATTACHE_OK;
  };
  AgentOptions with = options();
  with.run_base = scratch.path() / "not made";
  Agent agent(driver.driver(), with);
  agent.prepare();
  EXPECT_EQ(prepared, 1);
  EXPECT_FALSE(std::filesystem::exists(with.run_base));
  EXPECT_EQ(scratch.run_directories(), 0U);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(InspectTest, AFailedPreparationAndAClosedAgentAreTyped) {
  driver.prepare = [](attache_sink) { return ATTACHE_LAUNCH_FAILED; };
  Agent agent = RunTest::agent();
  EXPECT_EQ(early_error([&] { agent.prepare(); }).code(), errc::launch_failed);
  agent.close();
  EXPECT_EQ(early_error([&] { agent.prepare(); }).code(), errc::agent_closed);
  EXPECT_EQ(early_error([&] { agent.inspect(); }).code(), errc::agent_closed);
}

}  // namespace
}  // namespace attache
