// SPDX-License-Identifier: Apache-2.0
// Threads when something goes wrong: rejected sessions, leases, drivers and stores that misbehave.
#include <atomic>
#include <cstring>
#include <stdexcept>

#include <gmock/gmock.h>

#include "thread_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::text_input;
using test::ThreadTest;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* first_session = R"({"session":"session-1"})";

/// Counts how often the source of an input is opened.
input::Input counted(std::string_view text, std::atomic<int>& opened) {
  class Once final : public input::Reader {
   public:
    explicit Once(std::string_view text) : text_(text) {}
    std::size_t read(std::span<std::byte> buffer) override {
      const std::size_t count = std::min(buffer.size(), text_.size());
      std::memcpy(buffer.data(), text_.data(), count);
      text_.remove_prefix(count);
      return count;
    }

   private:
    std::string_view text_;
  };
  return input::from_opener(input::Kind::file, "text.txt",
                            [text, &opened](const std::stop_token&) -> std::unique_ptr<input::Reader> {
                              ++opened;
                              return std::make_unique<Once>(text);
                            });
}

TEST_F(ThreadTest, ARejectedSessionIsReplacedOnceWithTheSameFiles) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  provider.sessions.clear();
  std::atomic<int> opened{0}, launches{0};
  provider.launch = [&](const Calls&) { return launches++ == 0 ? ATTACHE_LAUNCH_FAILED : ATTACHE_OK; };
  const Result result = thread.run("two", with_inputs(counted("content", opened)));
  EXPECT_TRUE(has_notice(result, "thread_restarted"));
  EXPECT_FALSE(result.thread_tainted);
  EXPECT_EQ(opened, 1);
  ASSERT_EQ(provider.seen.size(), 4U);  // the first turn; rejected, launch failed, answered
  EXPECT_EQ(provider.seen[1].checkpoint, first_session);
  EXPECT_TRUE(provider.seen[1].fork);
  for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
    EXPECT_EQ(provider.seen[i].checkpoint, "");
    EXPECT_FALSE(provider.seen[i].fork);
    EXPECT_THAT(provider.seen[i].inputs, ElementsAre("content"));
  }
  EXPECT_EQ(checkpoint(), R"({"session":"session-4"})");
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(ThreadTest, TheRestartIsANoticeOfTheStream) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  provider.sessions.clear();
  Stream stream = thread.stream("two");
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  EXPECT_EQ(test::count_of<Notice>(events), 1U);
}

TEST_F(ThreadTest, ResumeOnlyRestartsNothing) {
  Agent agent = thread_agent();
  agent.thread("key").run("one");
  provider.sessions.clear();
  ThreadOptions resume;
  resume.resume_only = true;
  const RunError error = failed_turn([&] { agent.thread("key", resume).run("two"); });
  EXPECT_EQ(error.code(), errc::resume_rejected);
  EXPECT_EQ(provider.seen.size(), 2U);
  EXPECT_EQ(checkpoint(), first_session);
}

TEST_F(ThreadTest, NothingIndeterminateIsReplayedOnAThread) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  for (const attache_delivery state : {ATTACHE_NOT_STARTED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}) {
    for (const attache_status status : {ATTACHE_RESUME_REJECTED, ATTACHE_LAUNCH_FAILED, ATTACHE_PROVIDER_FAILED}) {
      driver.run = [&](const attache_request&, const Calls& calls) {
        calls.started();
        if (state != ATTACHE_NOT_STARTED) calls.delivery(state);
        calls.completed("", status);
        return status;
      };
      const int before = driver.entered;
      failed_turn([&] { thread.run("two"); });
      EXPECT_EQ(driver.entered, before + 1) << state << " " << status;
    }
  }
  EXPECT_EQ(checkpoint(), first_session);
}

TEST_F(ThreadTest, ASessionThatIsRejectedAgainIsTheEnd) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_NOT_DELIVERED);
    calls.completed("", ATTACHE_RESUME_REJECTED);
    return ATTACHE_RESUME_REJECTED;
  };
  EXPECT_EQ(failed_turn([&] { thread.run("two"); }).code(), errc::resume_rejected);
  EXPECT_EQ(driver.entered, 3);
  EXPECT_EQ(checkpoint(), first_session);
  EXPECT_TRUE(is_free());
}

TEST_F(ThreadTest, OneTurnAtATime) {
  test::Signal inside, leave;
  provider.judge = [&](const std::vector<std::string>&, const Calls&) {
    inside.set();
    leave.wait();
    return ATTACHE_OK;
  };
  Agent agent = thread_agent(), other = thread_agent();
  Stream stream = agent.thread("key").stream("one");
  inside.wait();
  std::atomic<int> opened{0};
  EXPECT_EQ(early_error([&] { agent.thread("key").run("two", with_inputs(counted("x", opened))); }).code(),
            errc::thread_busy);
  EXPECT_EQ(early_error([&] { other.thread("key").run("two"); }).code(), errc::thread_busy);
  EXPECT_EQ(opened, 0);
  leave.set();
  EXPECT_EQ(stream.result().text, "answer 1");
  EXPECT_EQ(other.thread("key").run("two").text, "answer 2");
}

TEST_F(ThreadTest, TheLeaseEndsWithTheTurnHoweverItEnds) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  EXPECT_TRUE(is_free());
  EXPECT_THROW(thread.run("two", with_inputs(input::from_path(input::Kind::file, "/nowhere.txt"))), InputError);
  EXPECT_TRUE(is_free());
  EXPECT_THROW(thread.run(""), InputError);
  EXPECT_TRUE(is_free());
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THROW(thread.run("two", with_stop_token(stopped.get_token())), Error);
  EXPECT_TRUE(is_free());
  provider.launch = [](const Calls&) { return ATTACHE_PROVIDER_FAILED; };
  failed_turn([&] { thread.run("two"); });
  EXPECT_TRUE(is_free());
  provider.launch = [](const Calls& calls) {
    while (!calls.cancelled()) std::this_thread::yield();
    return ATTACHE_CANCELLED;
  };
  { const Stream dropped = thread.stream("two"); }
  EXPECT_TRUE(is_free());
}

TEST_F(ThreadTest, ATurnThatIsLeftBehindKeepsTheLeaseUntilItsDriverReturns) {
  without_fork();
  test::Signal inside, leave, left;
  Agent first = thread_agent();
  first.thread("key").run("one");
  AgentOptions with = short_grace();
  with.thread_store = store;
  provider.judge = [&](const std::vector<std::string>&, const Calls&) {
    inside.set();
    leave.wait();
    return ATTACHE_PROVIDER_FAILED;
  };
  driver.destroy = [&] { left.set(); };
  {
    Agent agent(driver.driver(), with);
    Stream stream = agent.thread("key").stream("two");
    inside.wait();
    stream.cancel();
    const RunError error = failed_turn([&] { stream.result(); });
    EXPECT_EQ(error.reason(), "driver_stuck");
    EXPECT_TRUE(error.result().thread_tainted);
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(first.thread("key").tainted());
  leave.set();
  left.wait();  // the instance goes before the files and the lease
  while (!is_free()) std::this_thread::yield();
}

TEST_F(ThreadTest, ACheckpointThatIsNoJsonIsNotKept) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.checkpoint("not JSON");
    return calls.answer("answer");
  };
  const Result result = thread.run("two");
  EXPECT_EQ(result.contract_violations, 1U);
  EXPECT_TRUE(has_notice(result, "checkpoint_missing"));
  EXPECT_EQ(result.checkpoint_json, "");
  EXPECT_EQ(checkpoint(), first_session);
}

TEST_F(ThreadTest, ADriverThatDoesNotForkIsFound) {
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  thread.run("one");
  Thread fork = thread.fork("fork");
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.checkpoint(R"({ "session": "session-1" })");
    return calls.answer("answer");
  };
  EXPECT_TRUE(has_notice(thread.run("two", with_inputs(text_input("content"))), "fork_ignored"));
  EXPECT_TRUE(has_notice(fork.run("two"), "fork_ignored"));
  EXPECT_FALSE(store->load("fork").has_value());  // two threads would share a session
  EXPECT_FALSE(has_notice(thread.run("three"), "fork_ignored"));
}

/// A store of a host's own, with a fault.
class FaultyStore final : public ThreadStore {
 public:
  enum class Fault { none, load, lease, save, conflict } fault = Fault::none;
  std::optional<ThreadRecord> load(std::string_view key) override {
    if (fault == Fault::load) throw std::runtime_error("host=secret.example");
    return inner_->load(key);
  }
  bool save(std::string_view key, const ThreadRecord& record) override {
    if (fault == Fault::save) throw std::runtime_error("host=secret.example");
    return fault != Fault::conflict && inner_->save(key, record);
  }
  void erase(std::string_view key) override { inner_->erase(key); }
  std::unique_ptr<ThreadLease> lease(std::string_view key) override {
    if (fault == Fault::lease) throw 1;
    return inner_->lease(key);
  }

 private:
  std::shared_ptr<ThreadStore> inner_ = memory_thread_store();
};

class FaultyStoreTest : public ThreadTest {
 protected:
  FaultyStoreTest() { store = faulty; }
  AgentOptions told() {
    AgentOptions out = with_store();
    out.diagnostics = [this](const Diagnostic& diagnostic) {
      details.push_back(diagnostic.where + ": " + diagnostic.text);
    };
    return out;
  }
  std::shared_ptr<FaultyStore> faulty = std::make_shared<FaultyStore>();
  std::vector<std::string> details;
};

TEST_F(FaultyStoreTest, FailuresBeforeTheTurnAreTypedAndDiagnosed) {
  Agent agent(driver.driver(), told());
  Thread thread = agent.thread("key");
  for (const auto fault : {FaultyStore::Fault::load, FaultyStore::Fault::lease}) {
    faulty->fault = fault;
    const Error error = early_error([&] { thread.run("one"); });
    EXPECT_EQ(error.code(), errc::thread_store);
    EXPECT_EQ(error.reason(), "store_failed");
    EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
    EXPECT_TRUE(retry_safe(error));
  }
  faulty->fault = FaultyStore::Fault::none;
  EXPECT_THAT(details, Contains("thread_store: host=secret.example"));
  EXPECT_EQ(driver.entered, 0);
  EXPECT_TRUE(is_free());
}

TEST_F(FaultyStoreTest, ATurnThatCannotBeNotedIsNotBegun) {
  Agent agent(driver.driver(), told());
  Thread thread = agent.thread("key");
  thread.run("one");
  faulty->fault = FaultyStore::Fault::save;
  EXPECT_EQ(early_error([&] { thread.run("two"); }).reason(), "store_failed");
  faulty->fault = FaultyStore::Fault::conflict;
  EXPECT_EQ(early_error([&] { thread.run("two"); }).reason(), "record_changed");
  EXPECT_EQ(driver.entered, 1);
  EXPECT_TRUE(is_free());
  faulty->fault = FaultyStore::Fault::none;
  EXPECT_EQ(thread.run("two").text, "answer 2");
}

TEST_F(FaultyStoreTest, AnAnswerIsNotLostOverAStoreThatDoesNotTakeIt) {
  Agent agent(driver.driver(), told());
  Thread thread = agent.thread("key");
  thread.run("one");
  auto fault = FaultyStore::Fault::save;
  provider.judge = [&](const std::vector<std::string>&, const Calls&) {
    faulty->fault = fault;
    return ATTACHE_OK;
  };
  for (const auto next : {FaultyStore::Fault::save, FaultyStore::Fault::conflict}) {
    fault = next;
    Stream stream = thread.stream("two");
    const std::vector<Event> events = test::drain(stream);
    faulty->fault = FaultyStore::Fault::none;
    test::expect_framed(events);
    EXPECT_EQ(test::count_of<Notice>(events), 1U);
    EXPECT_TRUE(has_notice(stream.result(), "thread_not_saved"));
    EXPECT_THAT(details, Not(IsEmpty()));
    details.clear();
    EXPECT_EQ(checkpoint(), first_session);
  }
}

}  // namespace
}  // namespace attache
