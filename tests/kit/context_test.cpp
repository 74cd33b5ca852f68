// SPDX-License-Identifier: Apache-2.0
// What a check's process may tell.
#include "check/context.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "check/channel.hpp"
#include "run_kit.hpp"

namespace attache::conformance {
namespace {

class Context : public testing::Test {
 protected:
  Context() {
    EXPECT_EQ(::pipe(channel_), 0);
    spec_.plugin = KIT_CONTROLS "/attache-driver-kit-good.so";
    spec_.scratch = fresh_folder();
    spec_.job = "load";
    spec_.cell = "host";
  }
  ~Context() override {
    ::close(channel_[0]);
    ::close(channel_[1]);
  }
  Message next_message() {
    std::string line;
    for (char c = 0; ::read(channel_[0], &c, 1) == 1 && c != '\n';) line += c;
    return decode(line).value();
  }

  JobSpec spec_;
  Watch watch_{nullptr};
  int channel_[2] = {-1, -1};
};

TEST_F(Context, NeitherMarksNorPathsLeaveTheProcess) {
  JobContext context(spec_, watch_, channel_[1]);
  const Canary canary = context.canary(input::Kind::file, "text/plain");
  const auto folder = context.folder("runs");
  Finding finding;
  finding.expect(false, "found at " + (folder / "input-1.txt").string() + " \"quoted\"");
  finding.evidence("block {\"data\":\"" + canary.mark + "\"}");
  finding.evidence("plugin " + spec_.plugin.string() + " in " + spec_.scratch.string());
  context.report("WIRE-101", finding);
  const CheckResult result = next_message().result;
  EXPECT_EQ(result.outcome, Outcome::fail);
  EXPECT_EQ(result.reason, "found at <path> \"quoted\"");
  EXPECT_THAT(result.evidence, testing::ElementsAre("block {\"data\":\"<mark>\"}", "plugin <plugin> in <scratch>"));
}

TEST_F(Context, TheFirstFaultIsTheReasonAndTheOthersAreEvidence) {
  JobContext context(spec_, watch_, channel_[1]);
  Finding finding;
  finding.expect(true, "holds");
  finding.expect(false, "first");
  finding.expect(false, "second");
  context.report("WIRE-102", finding);
  const CheckResult result = next_message().result;
  EXPECT_EQ(result.name(), "WIRE-102[host]");
  EXPECT_EQ(result.reason, "first");
  EXPECT_THAT(result.evidence, testing::ElementsAre("also: second"));
}

TEST_F(Context, TheSameSeedMakesTheSameMedia) {
  const auto image = [&](std::uint64_t seed) {
    spec_.seed = seed;
    spec_.scratch = fresh_folder();
    return JobContext(spec_, watch_, channel_[1]).canary(input::Kind::image, "image/png");
  };
  EXPECT_EQ(image(9).sha256, image(9).sha256);
  EXPECT_NE(image(9).mark, image(10).mark);
}

TEST(Channel, MessagesComeBackAsTheyWere) {
  Message message;
  message.type = Message::Type::result;
  message.result = {"RUN-501", "crash", Outcome::timed_out, "a \"reason\"\n", {"one", "two"}};
  const auto back = decode(encode(message)).value();
  EXPECT_EQ(back.result.name(), "RUN-501[crash]");
  EXPECT_EQ(back.result.outcome, Outcome::timed_out);
  EXPECT_EQ(back.result.reason, message.result.reason);
  EXPECT_EQ(back.result.evidence, message.result.evidence);
}

TEST(Channel, ForeignLinesAreNoMessages) {
  for (const char* line : {"", "hello", "{}", "[]", "{\"type\":\"result\"}", "{\"type\":7}"}) {
    EXPECT_FALSE(decode(line).has_value()) << line;
  }
}

}  // namespace
}  // namespace attache::conformance
