// SPDX-License-Identifier: Apache-2.0
// Threads: what resumes from what, and what a turn leaves.
#include <gmock/gmock.h>

#include "thread_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::text_input;
using test::ThreadTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* first_session = R"({"session":"session-1"})";

TEST_F(ThreadTest, ATurnContinuesTheLastHealthyOne) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  const Result first = thread.run("one");
  EXPECT_EQ(first.thread_key, "key");
  EXPECT_FALSE(first.thread_tainted);
  EXPECT_EQ(checkpoint(), first_session);
  EXPECT_EQ(thread.run("two").text, "answer 2");
  EXPECT_EQ(agent.thread("key").run("three").text, "answer 3");
  EXPECT_THAT(provider.sessions["session-1"], ElementsAre("one", "two", "three"));
  EXPECT_EQ(provider.seen[0].checkpoint, "");
  EXPECT_EQ(provider.seen[1].checkpoint, first_session);
  EXPECT_EQ(agent.run("alone").thread_key, "");
  EXPECT_EQ(provider.seen[3].checkpoint, "");
  EXPECT_EQ(provider.seen[3].thread, "");
}

TEST_F(ThreadTest, DifferentInputsDoNotSplitAThread) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one", with_inputs(text_input("first content").name("a.txt")));
  const std::string fingerprint = store->load("key")->fingerprint;
  thread.run("two", with_inputs(text_input("other content").name("b.txt"), text_input("third")));
  thread.run("three");
  EXPECT_EQ(store->load("key")->fingerprint, fingerprint);
  EXPECT_EQ(provider.seen[1].checkpoint, first_session);
  EXPECT_THAT(provider.seen[2].checkpoint, Not(IsEmpty()));
}

TEST_F(ThreadTest, R_M4_AResumedThreadIsSentItsOwnInputsOnce) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one", with_inputs(text_input("first content")));
  thread.run("two", with_inputs(text_input("second content")));
  thread.run("three");
  EXPECT_THAT(provider.seen[0].inputs, ElementsAre("first content"));
  EXPECT_THAT(provider.seen[1].inputs, ElementsAre("second content"));
  EXPECT_THAT(provider.seen[2].inputs, IsEmpty());
}

TEST_F(ThreadTest, OnlyATurnThatResumesWithInputsIsForked) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one", with_inputs(text_input("content")));
  thread.run("two");
  thread.run("three", with_inputs(text_input("content")));
  EXPECT_FALSE(provider.seen[0].fork);
  EXPECT_FALSE(provider.seen[1].fork);
  EXPECT_TRUE(provider.seen[2].fork);
  EXPECT_EQ(checkpoint(), R"({"session":"session-3"})");
}

TEST_F(ThreadTest, R_C6_R_D1_ABadTurnWithInputsLeavesTheThreadAsItWas) {
  provider.judge = [](const std::vector<std::string>& session, const Calls& calls) {
    for (const std::string& entry : session) {
      if (entry == "bad picture") {
        calls.error(ATTACHE_PROVIDER_REFUSED, "refused", "no");
        return ATTACHE_PROVIDER_REFUSED;
      }
    }
    return ATTACHE_OK;
  };
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  const RunError error = failed_turn([&] { thread.run("two", with_inputs(text_input("bad picture"))); });
  EXPECT_EQ(error.code(), errc::provider_refused);
  EXPECT_EQ(error.result().thread_key, "key");
  EXPECT_FALSE(error.result().thread_tainted);
  EXPECT_EQ(checkpoint(), first_session);
  const Result next = thread.run("three");
  EXPECT_FALSE(next.thread_tainted);
  EXPECT_THAT(provider.seen[2].inputs, IsEmpty());
  EXPECT_THAT(provider.sessions["session-1"], ElementsAre("one", "three"));
}

TEST_F(ThreadTest, R_D1_WhereNothingForksTheThreadIsTainted) {
  without_fork();
  provider.judge = [](const std::vector<std::string>& session, const Calls&) {
    return session.back() == "bad picture" ? ATTACHE_PROVIDER_REFUSED : ATTACHE_OK;
  };
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  EXPECT_FALSE(thread.tainted());
  const RunError error = failed_turn([&] { thread.run("two", with_inputs(text_input("bad picture"))); });
  EXPECT_TRUE(error.result().thread_tainted);
  EXPECT_TRUE(thread.tainted());
  EXPECT_EQ(checkpoint(), first_session);
  const Result next = thread.run("three");
  EXPECT_TRUE(next.thread_tainted);
  EXPECT_TRUE(thread.tainted());
  EXPECT_THAT(provider.seen[2].inputs, IsEmpty());
}

TEST_F(ThreadTest, AFailedFirstTurnLeavesNothing) {
  provider.judge = [](const std::vector<std::string>&, const Calls&) { return ATTACHE_PROVIDER_FAILED; };
  Agent agent = thread_agent();
  const RunError error = failed_turn([&] { agent.thread("key").run("one"); });
  EXPECT_FALSE(error.result().thread_tainted);
  EXPECT_FALSE(store->load("key").has_value());
}

TEST_F(ThreadTest, AFailureBeforeDeliveryTaintsNothing) {
  without_fork();
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  bool noted = false;
  provider.launch = [&](const Calls&) {
    noted = thread.tainted();
    return ATTACHE_PROVIDER_FAILED;
  };
  EXPECT_FALSE(failed_turn([&] { thread.run("two"); }).result().thread_tainted);
  EXPECT_TRUE(noted);
  EXPECT_FALSE(thread.tainted());
}

TEST_F(ThreadTest, WhatAKillInMidTurnWouldTaintIsNotedWhileTheTurnRuns) {
  std::vector<bool> noted;
  provider.judge = [&](const std::vector<std::string>&, const Calls&) {
    const auto record = store->load("key");
    noted.push_back(record.has_value() && record->tainted);
    return ATTACHE_OK;
  };
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");                                        // a new session
  thread.run("two");                                        // in the provider's history
  thread.run("three", with_inputs(text_input("content")));  // on a fork of it
  without_fork();
  Agent cannot_fork = thread_agent();
  const Result last = cannot_fork.thread("key").run("four", with_inputs(text_input("content")));
  EXPECT_THAT(noted, ElementsAre(false, true, false, true));
  EXPECT_FALSE(last.thread_tainted);
  EXPECT_FALSE(thread.tainted());
}

TEST_F(ThreadTest, ANoteIsTakenBackWhenAHealthyTurnLeavesNothingToResumeFrom) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  driver.run = [](const attache_request&, const Calls& calls) { return calls.answer("no checkpoint"); };
  EXPECT_TRUE(has_notice(thread.run("two"), "checkpoint_missing"));
  EXPECT_FALSE(thread.tainted());
}

TEST_F(ThreadTest, R_M5_InputsOfACancelledTurnAreNotAttachedAgain) {
  without_fork();
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("zero");
  test::Signal delivered;
  provider.judge = [&](const std::vector<std::string>&, const Calls& calls) {
    delivered.set();
    while (!calls.cancelled()) std::this_thread::yield();
    return ATTACHE_CANCELLED;
  };
  Stream stream = thread.stream("one", with_inputs(text_input("a"), text_input("b"), text_input("c")));
  delivered.wait();
  stream.cancel();
  const RunError error = failed_turn([&] { stream.result(); });
  EXPECT_EQ(error.code(), errc::cancelled);
  EXPECT_GE(error.delivery(), Delivery::indeterminate);
  EXPECT_TRUE(error.result().thread_tainted);
  EXPECT_FALSE(retry_safe(error));
  provider.judge = nullptr;
  EXPECT_TRUE(thread.run("two").thread_tainted);
  EXPECT_THAT(provider.seen.back().inputs, IsEmpty());
  EXPECT_EQ(provider.seen.back().prompt, "two");
}

TEST_F(ThreadTest, AKeyIsNotShownToTheDriver) {
  Agent agent = thread_agent(), other = thread_agent();
  agent.thread("secret key").run("one");
  agent.thread("secret key").run("two");
  agent.thread("other").run("three");
  other.thread("other").run("four");
  EXPECT_EQ(provider.seen[0].thread.size(), 64U);
  EXPECT_EQ(provider.seen[0].thread, provider.seen[1].thread);
  EXPECT_NE(provider.seen[0].thread, provider.seen[2].thread);
  EXPECT_NE(provider.seen[2].thread, provider.seen[3].thread);
}

TEST_F(ThreadTest, AnotherConfigurationOrWorkspaceIsAnotherThread) {
  thread_agent().thread("key").run("one");
  AgentOptions configured = with_store(), elsewhere = with_store();
  configured.config = R"({"executable": "other"})";
  elsewhere.workspace = scratch.path();
  for (const AgentOptions& options : {configured, elsewhere}) {
    Agent agent(driver.driver(), options);
    EXPECT_EQ(early_error([&] { agent.thread("key").run("two"); }).code(), errc::thread_incompatible);
    EXPECT_EQ(early_error([&] { agent.thread("key", {true, true}).run("two"); }).code(), errc::thread_incompatible);
    EXPECT_TRUE(is_free());
  }
  EXPECT_EQ(provider.seen.size(), 1U);
  Agent agent(driver.driver(), configured);
  ThreadOptions restart;
  restart.restart_when_incompatible = true;
  agent.thread("key", restart).run("two");
  EXPECT_EQ(provider.seen[1].checkpoint, "");
  EXPECT_EQ(checkpoint(), R"({"session":"session-2"})");
  EXPECT_EQ(agent.thread("key").run("three").text, "answer 3");
}

TEST_F(ThreadTest, SecretsVolatileValuesAndTheOrderOfKeysDoNotCount) {
  driver.describe(R"("token": {"type": "string"})",
                  R"("token": {"type": "string", "secret": true}, "color": {"type": "string", "volatile": true})");
  AgentOptions one = with_store(), two = with_store();
  one.config = R"({"executable": "x", "token": "old", "color": "red"})";
  one.workspace = scratch.path();
  two.config = R"({"color":"blue","token":"new","executable":"x"})";
  two.workspace = scratch.path() / "";
  Agent(driver.driver(), one).thread("key").run("one");
  Agent(driver.driver(), two).thread("key").run("two");
  EXPECT_EQ(provider.seen[1].checkpoint, first_session);
}

TEST_F(ThreadTest, WhatCannotBeAThreadIsTyped) {
  Agent without = agent();
  const Error missing = early_error([&] { without.thread("key"); });
  EXPECT_EQ(missing.code(), errc::option_unsupported);
  EXPECT_EQ(missing.reason(), "thread_store_missing");
  Agent agent = thread_agent();
  EXPECT_EQ(early_error([&] { agent.thread(""); }).reason(), "key_invalid");
  EXPECT_EQ(early_error([&] { agent.thread("key", {true, false}).run("one"); }).code(), errc::thread_unknown);
  EXPECT_EQ(early_error([&] { agent.thread("key").fork("new"); }).code(), errc::thread_unknown);
  without_fork();
  Agent forkless = thread_agent();
  EXPECT_EQ(early_error([&] { forkless.thread("key").fork("new"); }).reason(), "fork");
  driver.describe(R"(, "resume": true)", "");
  Agent plain = thread_agent();
  EXPECT_EQ(early_error([&] { plain.thread("key"); }).reason(), "resume");
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(ThreadTest, AThreadOfAClosedAgentRunsNoMore) {
  Thread thread = [&] {
    Agent agent = thread_agent();
    return agent.thread("key");
  }();
  EXPECT_EQ(early_error([&] { thread.run("one"); }).code(), errc::agent_closed);
  EXPECT_TRUE(is_free());
}

TEST_F(ThreadTest, AForkContinuesUnderItsOwnKey) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  Thread fork = thread.fork("fork");
  const Thread copy = fork;
  thread.run("two");
  EXPECT_EQ(fork.run("other two").text, "answer 3");
  fork.run("other three");
  EXPECT_TRUE(provider.seen[2].fork);
  EXPECT_EQ(provider.seen[2].checkpoint, first_session);
  EXPECT_FALSE(provider.seen[3].fork);
  EXPECT_THAT(provider.sessions["session-1"], ElementsAre("one", "two"));
  EXPECT_EQ(provider.sessions["session-3"].back(), "other three");
  EXPECT_EQ(Thread(copy).run("other four").text, "answer 5");
  EXPECT_EQ(provider.sessions["session-3"].back(), "other four");
  EXPECT_EQ(early_error([&] { thread.fork("fork"); }).code(), errc::thread_exists);
}

TEST_F(ThreadTest, AForkWhoseKeyWasTakenMeanwhileIsRefused) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  Thread fork = thread.fork("fork");
  agent.thread("fork").run("of its own");
  EXPECT_EQ(early_error([&] { fork.run("two"); }).code(), errc::thread_exists);
  EXPECT_TRUE(is_free("fork"));
}

}  // namespace
}  // namespace attache
