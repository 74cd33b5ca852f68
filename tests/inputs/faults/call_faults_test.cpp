// SPDX-License-Identifier: Apache-2.0
// Each call of the system that taking inputs makes fails once, one after the other.
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "faults/faulty_calls.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
namespace fs = std::filesystem;

class CallFaultsTest : public WorkspaceTest {
 protected:
  /// One input for the run directory and one for the workspace, both from files.
  std::vector<input::Input> given() const {
    return {input::from_path(Kind::image, picture_file), input::from_path(Kind::file, text_file)};
  }

  /// Takes them under a plan. The reason of the refusal; empty: they were taken, and are what they were.
  std::string take(const FaultyCalls::Plan& plan) {
    inputs::RunInputs run;
    try {
      const FaultyCalls faulty(plan);
      run = accept(given());
    } catch (const InputError& error) {
      EXPECT_EQ(error.code(), errc::input_materialization_failed) << error.reason();
      EXPECT_EQ(std::string_view(error.what()).find(scratch.native()), std::string_view::npos) << error.what();
      EXPECT_TRUE(retry_safe(error));
      expect_nothing_left(error.reason());
      return error.reason();
    }
    EXPECT_EQ(digest_of(read_file(run.local_path(0))), digest_of(picture));
    EXPECT_EQ(digest_of(read_file(run.local_path(1))), digest_of(text));
    EXPECT_EQ(run.resolved()[0].sha256, digest_of(picture));
    EXPECT_EQ(run.resolved()[1].sha256, digest_of(text));
    run = {};
    expect_nothing_left("delivered");
    return {};
  }
  void expect_nothing_left(const std::string& after) const {
    EXPECT_EQ(entries(base), 0u) << after;
    EXPECT_EQ(entries(workspace), 0u) << after;
  }

  /// The reasons of the refusals while each call of these kinds fails in turn; `from_then_on`: and all after it.
  std::set<std::string> sweep(const std::set<Call>& kinds, int error, bool from_then_on = false) {
    std::set<std::string> reasons;
    int calls = 0;
    for (int failing = 0; failing <= calls; ++failing) {
      calls = 0;
      const std::string reason = take([&](Call call) -> Answer {
        if (!kinds.contains(call)) return {};
        const int number = calls++;
        return {number == failing || (from_then_on && number > failing) ? error : 0};
      });
      EXPECT_LT(failing, 1000);
      if (failing >= calls) {
        EXPECT_EQ(reason, "") << "no call failed";
      } else {
        reasons.insert(reason);
      }
    }
    swept = calls;
    return reasons;
  }

  int swept = 0;  ///< how many calls the last sweep found
  const std::string picture = png_padded(200000), text = std::string(150000, 't');
  const fs::path picture_file = file("a.png", picture), text_file = file("b.txt", text);
  using Reasons = std::set<std::string>;
};

TEST_F(CallFaultsTest, WithoutRoomItIsADiskThatIsFullWhereverThatIsFound) {
  for (const int error : {ENOSPC, EDQUOT}) {
    EXPECT_EQ(sweep({Call::create, Call::make_directory, Call::write}, error, true), Reasons{"disk_full"});
    // Two directories and what belongs into them, and the writes of both copies.
    EXPECT_GE(swept, 12);
  }
}

TEST_F(CallFaultsTest, AFaultOfTheDeviceIsTyped) {
  EXPECT_EQ(sweep({Call::write}, EIO), (Reasons{"write_failed", "workspace_failed"}));
  EXPECT_EQ(sweep({Call::read}, EIO), Reasons{"read_failed"});
  EXPECT_EQ(sweep({Call::close}, EIO), (Reasons{"", "write_failed"}));  // of what was only read, it does not matter
  EXPECT_EQ(sweep({Call::make_directory, Call::create}, EIO), (Reasons{"write_failed", "workspace_failed"}));
  EXPECT_EQ(sweep({Call::read_at}, EIO), Reasons{"read_failed"});  // of the copy, where its content is checked
}

TEST_F(CallFaultsTest, AMissingRightIsTyped) {
  EXPECT_EQ(sweep({Call::make_directory, Call::create}, EACCES), (Reasons{"write_failed", "workspace_failed"}));
  // A copy's last change of mode only shows what its identity is worth.
  EXPECT_EQ(sweep({Call::change_mode}, EPERM), (Reasons{"", "write_failed", "workspace_failed"}));
  const Reasons opening = sweep({Call::open}, EACCES);
  for (const char* reason : {"open_failed", "run_base_failed", "workspace_failed"}) {
    EXPECT_EQ(opening.count(reason), 1u) << reason;
  }
}

TEST_F(CallFaultsTest, ADescriptorThatIsMissingOnceIsTyped) {
  const Reasons opening = sweep({Call::open, Call::create}, EMFILE);
  for (const char* reason : {"open_failed", "run_base_failed", "workspace_failed", "write_failed"}) {
    EXPECT_EQ(opening.count(reason), 1u) << reason;
  }
}

TEST_F(CallFaultsTest, ACopyHasNoIdentityWhereAChangeMayNotShow) {
  const input::Input image = bytes(Kind::image, "image/png", picture);
  int changes = 0;
  const auto with = [&](const std::function<Answer(int)>& plan) {
    changes = 0;
    const FaultyCalls faulty([&](Call call) { return call == Call::change_mode ? plan(changes++) : Answer{}; });
    return accept({image});
  };
  with([](int) { return Answer{}; });
  const int all = changes;
  ASSERT_GE(all, 2) << "of the copy, and to try its clock";
  // A clock that stands still, and one that moves once and then stands.
  for (const int first : {2, 1}) {
    EXPECT_EQ(with([&](int change) {
                return Answer{0, change >= all - first ? std::size_t{0} : std::size_t{1}};
              }).identity(0),
              nullptr);
  }
  EXPECT_EQ(with([&](int change) { return Answer{change == all - 1 ? EPERM : 0}; }).identity(0), nullptr);
}

TEST_F(CallFaultsTest, ShortReadsAndWritesChangeNothing) {
  for (const std::size_t most : {1u, 7u, 4096u}) {
    int calls = 0;
    EXPECT_EQ(take([&](Call) -> Answer { return ++calls, Answer{0, most}; }), "") << most;
    EXPECT_GT(calls, static_cast<int>((picture.size() + text.size()) / most)) << most;
  }
}

TEST_F(CallFaultsTest, AnInterruptedCallIsMadeAgain) {
  EXPECT_EQ(sweep({Call::read, Call::read_at, Call::write}, EINTR), Reasons{""});
}

TEST_F(CallFaultsTest, AnEndBeforeTheEndIsAChangeOfTheSource) {
  // Once, so that what follows would be read: a file that shrank and grew again.
  Reasons reasons;
  int calls = 0;
  for (int ending = 0; ending <= calls; ++ending) {
    calls = 0;
    reasons.insert(take([&](Call call) -> Answer {
      return call == Call::read && calls++ == ending ? Answer{0, 0} : Answer{};
    }));
  }
  EXPECT_EQ(reasons, (Reasons{"", "source_changed"})) << "the last read of a file finds the end anyway";
}

}  // namespace
}  // namespace attache::testing
