// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::text_input;

class ReceiptTest : public RunTest {
 protected:
  /// The driver gives this receipt for the second input of two.
  void give(std::uint32_t outcome, const std::uint8_t* sha256 = nullptr) {
    driver.run = [this, outcome, sha256](const attache_request& request, const Calls& calls) {
      calls.started();
      calls.delivery(ATTACHE_DELIVERED);
      answered = calls.receipt(test::view(request.inputs[1]->id), outcome, sha256);
      calls.completed("answer");
      return ATTACHE_OK;
    };
  }
  RunOption two(input::Fidelity second = input::Fidelity::any) const {
    return with_inputs(text_input(text), text_input(text).fidelity(second));
  }
  attache_status answered = ATTACHE_OK;
  const std::string text = "some text";
};

TEST_F(ReceiptTest, WhatIsNotToldIsUnknown) {
  const Result result = agent().run("read", two());
  ASSERT_EQ(result.receipts.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(result.receipts[i].outcome, Receipt::Outcome::unknown);
    EXPECT_EQ(result.receipts[i].index, i);
    EXPECT_EQ(result.receipts[i].input_id, result.inputs[i].id);
  }
}

// Every pair of receipts of two inputs, and what is asked of the second one.
TEST_F(ReceiptTest, TheTableOfReceiptsAndFidelities) {
  struct Given {
    const char* name;
    std::optional<std::uint32_t> outcome;  // none: no receipt
    Receipt::Outcome kept;
  };
  const Given all[] = {{"exact", ATTACHE_RECEIPT_EXACT, Receipt::Outcome::exact},
                       {"altered", ATTACHE_RECEIPT_ALTERED, Receipt::Outcome::altered},
                       {"dropped", ATTACHE_RECEIPT_DROPPED, Receipt::Outcome::dropped},
                       {"unknown", ATTACHE_RECEIPT_UNKNOWN, Receipt::Outcome::unknown},
                       {"missing", std::nullopt, Receipt::Outcome::unknown}};
  enum class Asked { of_none, of_the_second, of_all };
  for (const Given& first : all) {
    for (const Given& second : all) {
      for (const Asked asked : {Asked::of_none, Asked::of_the_second, Asked::of_all}) {
        SCOPED_TRACE(std::string(first.name) + " " + second.name + " " + std::to_string(static_cast<int>(asked)));
        driver.run = [&](const attache_request& request, const Calls& calls) {
          calls.started();
          calls.delivery(ATTACHE_DELIVERED);
          if (first.outcome) calls.receipt(test::view(request.inputs[0]->id), *first.outcome, nullptr);
          if (second.outcome) calls.receipt(test::view(request.inputs[1]->id), *second.outcome, nullptr);
          calls.completed("answer");
          return ATTACHE_OK;
        };
        AgentOptions with = options();
        with.fidelity = asked == Asked::of_all ? input::Fidelity::exact : input::Fidelity::any;
        Agent to(driver.driver(), with);
        const RunOption inputs = two(asked == Asked::of_none ? input::Fidelity::any : input::Fidelity::exact);

        const auto fails = [](const Given& given, bool exact) {
          return given.kept == Receipt::Outcome::dropped || (exact && given.kept != Receipt::Outcome::exact);
        };
        const bool first_fails = fails(first, asked == Asked::of_all);
        const bool second_fails = fails(second, asked != Asked::of_none);
        if (!first_fails && !second_fails) {
          const Result result = to.run("read", inputs);
          ASSERT_EQ(result.receipts.size(), 2U);
          EXPECT_EQ(result.receipts[0].outcome, first.kept);
          EXPECT_EQ(result.receipts[1].outcome, second.kept);
          continue;
        }
        const RunError error = run_error(to, inputs);
        const Given& guilty = first_fails ? first : second;
        EXPECT_EQ(error.code(), errc::input_dropped);
        EXPECT_EQ(error.reason(), guilty.kept == Receipt::Outcome::dropped ? "dropped" : "not_exact");
        EXPECT_EQ(error.input()->index, first_fails ? 0U : 1U);
        ASSERT_EQ(error.result().receipts.size(), 2U);  // told whatever they say
        EXPECT_EQ(error.result().receipts[0].outcome, first.kept);
        EXPECT_EQ(error.result().receipts[1].outcome, second.kept);
      }
    }
  }
}

TEST_F(ReceiptTest, R_E4_ADroppedInputFailsTheRun) {
  give(ATTACHE_RECEIPT_DROPPED);
  Agent to = agent();
  const RunError error = run_error(to, two());
  EXPECT_EQ(error.code(), errc::input_dropped);
  EXPECT_EQ(error.reason(), "dropped");
  EXPECT_STREQ(error.what(), "the provider took the run but not input 2");  // counted from 1, as in every sentence
  EXPECT_EQ(error.delivery(), Delivery::delivered);
  EXPECT_FALSE(retry_safe(error));
  EXPECT_EQ(error.input()->index, 1U);
  EXPECT_EQ(error.result().text, "answer");
  EXPECT_EQ(error.result().checkpoint_json, "");
}

TEST_F(ReceiptTest, AnAlteredInputIsANotice) {
  give(ATTACHE_RECEIPT_ALTERED);
  const Result result = agent().run("read", two());
  EXPECT_EQ(result.receipts.at(1).outcome, Receipt::Outcome::altered);
  EXPECT_EQ(result.notices.at(0).slug, "input_altered");
  EXPECT_EQ(result.notices.at(0).input_id, result.inputs.at(1).id);
}

TEST_F(ReceiptTest, WhereExactIsAskedOnlyExactWillDo) {
  Agent to = agent();
  for (const std::uint32_t outcome : {ATTACHE_RECEIPT_ALTERED, ATTACHE_RECEIPT_UNKNOWN, 77U}) {
    give(outcome);
    const RunError error = run_error(to, two(input::Fidelity::exact));
    EXPECT_EQ(error.code(), errc::input_dropped) << outcome;
    EXPECT_EQ(error.reason(), "not_exact");
    EXPECT_EQ(error.input()->index, 1U);
  }
  give(ATTACHE_RECEIPT_EXACT);
  EXPECT_EQ(to.run("read", two(input::Fidelity::exact)).receipts.at(1).outcome, Receipt::Outcome::exact);
}

TEST_F(ReceiptTest, AnAgentMayAskExactOfEveryInput) {
  AgentOptions with = options();
  with.fidelity = input::Fidelity::exact;
  give(ATTACHE_RECEIPT_EXACT);
  Agent to(driver.driver(), with);
  const RunError error = run_error(to, two());
  EXPECT_EQ(error.input()->index, 0U);
}

TEST_F(ReceiptTest, AnExactReceiptWithAnotherDigestIsNotBelieved) {
  const std::uint8_t other[32] = {1};
  give(ATTACHE_RECEIPT_EXACT, other);
  Agent to = agent();
  const Result result = to.run("read", two());
  EXPECT_EQ(answered, ATTACHE_CONTRACT);
  EXPECT_EQ(result.receipts.at(1).outcome, Receipt::Outcome::unknown);
  EXPECT_EQ(result.contract_violations, 1U);
  EXPECT_EQ(run_error(to, two(input::Fidelity::exact)).reason(), "not_exact");
}

}  // namespace
}  // namespace attache
