// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

namespace attache::testing {
namespace {

class CodebuddyThread : public CodebuddyTest {
 protected:
  /// What each turn's process was asked to go on from: "" or the end of a session's id, with "fork".
  std::vector<std::string> opened() const {
    std::vector<std::string> out;
    for (const auto& start : starts()) {
      std::string how;
      for (const std::string one : start["arguments"]) {
        if (one.rfind("--resume=", 0) == 0) how = one.substr(one.size() - 2);
        if (one == "--fork-session") how += " fork";
      }
      out.push_back(how);
    }
    return out;
  }
};

TEST_F(CodebuddyThread, ATurnWithInputsRunsOnAForkThatCountsOnlyWhenItWentWell) {
  Agent codebuddy = agent(nlohmann::json::object(), memory_thread_store());
  Thread thread = codebuddy.thread("talk");
  thread.run("One.");
  file("record/scenario", "failed:500 no");
  EXPECT_THROW(thread.run("Two.", with_inputs(picture())), RunError);
  file("record/scenario", "ok");
  thread.run("Three.");
  thread.run("Four.", with_inputs(picture()));
  thread.run("Five.");
  EXPECT_EQ(opened(), (std::vector<std::string>{"", "5e fork", "5e", "5e fork", "5f"}));
}

TEST_F(CodebuddyThread, AnUnknownSessionIsNoNewOne) {
  Agent codebuddy = agent(nlohmann::json::object(), memory_thread_store());
  Thread thread = codebuddy.thread("talk");
  thread.run("One.");
  file("record/scenario", "error:No conversation found with session ID: x");
  try {
    thread.run("Two.");
    ADD_FAILURE() << "it went well";
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::resume_rejected);
    EXPECT_EQ(error.reason(), "unknown_session");
  }
}

TEST_F(CodebuddyThread, AnotherSessionThanAskedForIsAnError) {
  Agent codebuddy = agent(nlohmann::json::object(), memory_thread_store());
  Thread thread = codebuddy.thread("talk");
  thread.run("One.");
  for (const auto& [how, inputs] : {std::pair{"other_session", false}, std::pair{"same_session", true}}) {
    SCOPED_TRACE(how);
    file("record/scenario", how);
    try {
      inputs ? thread.run("Two.", with_inputs(picture())) : thread.run("Two.");
      ADD_FAILURE() << "it went well";
    } catch (const RunError& error) {
      EXPECT_EQ(error.reason(), "other_session");
    }
  }
}

}  // namespace
}  // namespace attache::testing
