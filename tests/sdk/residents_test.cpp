// SPDX-License-Identifier: Apache-2.0
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <attache/sdk/residents.hpp>

namespace attache::sdk {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// Says when it ends.
struct Fake {
  explicit Fake(std::vector<std::string>& log, std::string its_name) : ended(&log), name(std::move(its_name)) {}
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;
  ~Fake() { ended->push_back(name); }
  std::vector<std::string>* ended;
  std::string name;
};

class ResidentsTest : public ::testing::Test {
 protected:
  std::shared_ptr<Fake> fake(const std::string& name) { return std::make_shared<Fake>(ended, name); }
  using Log = std::vector<std::string>;
  Log ended;  ///< written by the test's thread only: the timer has nothing to do within an hour
};

TEST_F(ResidentsTest, OneIsTakenByItsThreadOnce) {
  Residents<Fake> pool({.idle = hours(1)});
  pool.keep("a", "s", fake("of a"));
  EXPECT_EQ(pool.take("b", "s"), nullptr) << "never of another thread";
  const std::shared_ptr<Fake> taken = pool.take("a", "s");
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(taken->name, "of a");
  EXPECT_EQ(taken.use_count(), 1);
  EXPECT_EQ(pool.take("a", "s"), nullptr);
  EXPECT_EQ(ended, Log());
}

TEST_F(ResidentsTest, OneWithAnotherSignatureIsEndedAndNotHandedOut) {
  Residents<Fake> pool({.idle = hours(1)});
  pool.keep("a", "workspace one", fake("old"));
  EXPECT_EQ(pool.take("a", "workspace two"), nullptr);
  EXPECT_EQ(ended, Log({"old"}));
  EXPECT_EQ(pool.take("a", "workspace one"), nullptr);
}

TEST_F(ResidentsTest, AThreadHasOne) {
  Residents<Fake> pool({.idle = hours(1)});
  pool.keep("a", "s", fake("first"));
  pool.keep("a", "s", fake("second"));
  EXPECT_EQ(ended, Log({"first"}));
  EXPECT_EQ(pool.take("a", "s")->name, "second");
}

TEST_F(ResidentsTest, TheOneThatWaitedLongestGoesForAFurtherOne) {
  Residents<Fake> pool({.idle = hours(1), .most = 2});
  pool.keep("a", "s", fake("a"));
  pool.keep("b", "s", fake("b"));
  pool.keep("a", "s", pool.take("a", "s"));  // it worked since
  pool.keep("c", "s", fake("c"));
  EXPECT_EQ(ended, Log({"b"}));
  EXPECT_NE(pool.take("a", "s"), nullptr);
}

TEST_F(ResidentsTest, SixteenWaitUnlessToldOtherwise) {
  Residents<Fake> pool({.idle = hours(1)});
  for (int i = 0; i < 17; ++i) pool.keep(std::to_string(i), "s", fake(std::to_string(i)));
  EXPECT_EQ(ended, Log({"0"}));
}

TEST_F(ResidentsTest, AllEndWithThePool) {
  {
    Residents<Fake> pool({.idle = hours(1)});
    pool.keep("a", "s", fake("a"));
    pool.keep("b", "s", fake("b"));
  }
  EXPECT_EQ(ended, Log({"a", "b"}));
}

TEST_F(ResidentsTest, WithoutAnIdleTimeNothingIsKept) {
  Residents<Fake> pool({.idle = milliseconds(0)});
  EXPECT_FALSE(pool.on());
  pool.keep("a", "s", fake("a"));
  EXPECT_EQ(ended, Log({"a"}));
}

TEST_F(ResidentsTest, ARunOfNoThreadLeavesNone) {
  Residents<Fake> pool({.idle = hours(1)});
  pool.keep("", "s", fake("a"));
  EXPECT_EQ(ended, Log({"a"}));
}

struct Promising {
  ~Promising() { gone.set_value(); }
  std::promise<void> gone;
};

TEST(ResidentsTimer, EndsWhatWaitsForTooLong) {
  Residents<Promising> pool({.idle = milliseconds(1)});
  for (int i = 0; i < 2; ++i) {  // the second one after the timer had nothing to wait for
    auto one = std::make_shared<Promising>();
    std::future<void> gone = one->gone.get_future();
    pool.keep("a", "s", std::move(one));
    gone.get();
  }
  EXPECT_EQ(pool.take("a", "s"), nullptr);
}

}  // namespace
}  // namespace attache::sdk
