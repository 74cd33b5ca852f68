// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class CodexReceipts : public ::testing::Test {
 protected:
  /// A PNG, a reference and a JPEG that is longer than the reader keeps strings.
  std::vector<RecordedEvent> receipts_of(const std::string& scenario, const std::string& prompt = "look") {
    stage.scenario(scenario);
    TurnRequest request(prompt);
    request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("1", first), first);
    request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("2", text), text).mode = ATTACHE_MODE_WORKSPACE_REFERENCE;
    request.add(ATTACHE_KIND_IMAGE, "image/jpeg", stage.file("3", large), large);
    request.raw().checkpoint = span(checkpoint);
    const Recorder host;
    EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
    EXPECT_EQ(host.deliveries().back(), ATTACHE_DELIVERED);
    return host.events(ATTACHE_EVENT_RECEIPT);
  }
  static std::vector<std::uint32_t> codes(const std::vector<RecordedEvent>& events) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].id, "input-" + std::to_string(i + 1));
      out.push_back(events[i].code);
    }
    return out;
  }
  static constexpr std::uint32_t E = ATTACHE_RECEIPT_EXACT, A = ATTACHE_RECEIPT_ALTERED, D = ATTACHE_RECEIPT_DROPPED,
                                 U = ATTACHE_RECEIPT_UNKNOWN;
  using Codes = std::vector<std::uint32_t>;
  Stage stage;
  std::string checkpoint;
  const std::string first = bytes_of(300, 1), large = bytes_of(700'000, 3), text = "some text";
};

TEST_F(CodexReceipts, R_E1_ExactWhenTheCliShowsTheSameBytes) {
  const auto events = receipts_of("ok");
  EXPECT_EQ(codes(events), (Codes{E, U, E}));
  EXPECT_EQ(events[0].sha256, digest_of(first));
  EXPECT_EQ(events[0].media_type, "image/png");
  EXPECT_EQ(events[2].sha256, digest_of(large));
  EXPECT_EQ(events[2].size, large.size());
}

TEST_F(CodexReceipts, ExactWithoutAPromptToo) {
  EXPECT_EQ(codes(receipts_of("ok", "")), (Codes{E, U, E}));
}

TEST_F(CodexReceipts, AlteredSaysWhatItBecame) {
  const auto events = receipts_of("altered");
  EXPECT_EQ(codes(events), (Codes{A, U, E}));
  EXPECT_EQ(events[0].media_type, "image/jpeg");
  EXPECT_EQ(events[0].size, 3u);
  EXPECT_EQ(events[0].sha256, digest_of(std::string("\x00\x01\x02", 3)));
}

TEST_F(CodexReceipts, NeverExactForBase64ThatIsNotStrict) {
  const auto events = receipts_of("wrapped");
  EXPECT_EQ(codes(events), (Codes{A, U, E}));
  EXPECT_FALSE(events[0].has_sha256);
}

TEST_F(CodexReceipts, R_E4_DroppedWhenASentenceStandsInItsPlace) {
  EXPECT_EQ(codes(receipts_of("placeholder")), (Codes{D, U, E}));
}

TEST_F(CodexReceipts, DroppedWhenItIsGone) {
  EXPECT_EQ(codes(receipts_of("missing")), (Codes{D, U, E}));
}

TEST_F(CodexReceipts, AlteredWhenItStandsThereTwice) {
  EXPECT_EQ(codes(receipts_of("twice")), (Codes{A, U, E}));
}

TEST_F(CodexReceipts, UnknownWhenTheCliShowsNothing) {
  EXPECT_EQ(codes(receipts_of("no_raw")), (Codes{U, U, U}));
}

TEST_F(CodexReceipts, OfAThreadThatGoesOnComeFromItsRecord) {
  checkpoint = R"({"thread":"01a22ec1-9080-7060-96f1-56ca080a7fff"})";
  EXPECT_EQ(codes(receipts_of("ok")), (Codes{E, U, E}));
  EXPECT_EQ(codes(receipts_of("placeholder")), (Codes{D, U, E}));
  EXPECT_EQ(codes(receipts_of("no_rollout")), (Codes{U, U, U}));
}

TEST_F(CodexReceipts, UnknownWhenAnotherModelGotTheTurn) {
  EXPECT_EQ(codes(receipts_of("rerouted")), (Codes{U, U, U}));
}

}  // namespace
}  // namespace attache::testing
