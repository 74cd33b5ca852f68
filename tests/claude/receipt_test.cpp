// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class Receipts : public ::testing::Test {
 protected:
  /// A PNG, a text, another PNG and a PDF, the last one longer than the reader keeps strings.
  std::vector<RecordedEvent> receipts_of(const std::string& scenario, const std::string& prompt = "look") {
    stage.scenario(scenario);
    TurnRequest request(prompt);
    request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("1", first), first);
    request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("2", text), text);
    request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("3", second), second);
    request.add(ATTACHE_KIND_FILE, "application/pdf", stage.file("4", pdf), pdf);
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
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
  const std::string first = bytes_of(300, 1), second = bytes_of(301, 2), pdf = bytes_of(700'000, 3);
  const std::string text = "some \"text\"\nof a file";
};

TEST_F(Receipts, ExactWhenTheCliShowsTheSameBytes) {
  const auto events = receipts_of("ok");
  EXPECT_EQ(codes(events), (Codes{E, E, E, E}));
  EXPECT_EQ(events[0].sha256, digest_of(first));
  EXPECT_EQ(events[3].sha256, digest_of(pdf));
  EXPECT_EQ(events[3].size, pdf.size());
  EXPECT_EQ(events[3].media_type, "application/pdf");
}

TEST_F(Receipts, ExactWithoutAPromptToo) {
  EXPECT_EQ(codes(receipts_of("ok", "")), (Codes{E, E, E, E}));
}

TEST_F(Receipts, AlteredSaysWhatItBecame) {
  const auto events = receipts_of("altered");
  EXPECT_EQ(codes(events), (Codes{A, E, E, E}));
  EXPECT_EQ(events[0].media_type, "image/jpeg");
  EXPECT_EQ(events[0].size, 3u);
  EXPECT_EQ(events[0].sha256, digest_of(std::string("\x00\x01\x02", 3)));
}

TEST_F(Receipts, AlteredForText) {
  EXPECT_EQ(codes(receipts_of("text_altered")), (Codes{E, A, E, E}));
}

TEST_F(Receipts, NeverExactForBase64ThatIsNotStrict) {
  const auto events = receipts_of("wrapped");
  EXPECT_EQ(codes(events), (Codes{A, E, E, E}));
  EXPECT_FALSE(events[0].has_sha256);
}

TEST_F(Receipts, DroppedWhenTextStandsInItsPlace) {
  EXPECT_EQ(codes(receipts_of("replaced_by_text")), (Codes{D, E, E, E}));
}

TEST_F(Receipts, DroppedWhenItIsGone) {
  EXPECT_EQ(codes(receipts_of("first_image_missing")), (Codes{D, E, E, E}));
}

TEST_F(Receipts, NeverExactForWhatStandsThereTwice) {
  const auto events = receipts_of("first_image_twice");
  EXPECT_EQ(codes(events), (Codes{A, E, E, E}));
  EXPECT_FALSE(events[0].has_sha256);
  EXPECT_EQ(codes(receipts_of("second_image_is_the_first")), (Codes{A, E, A, E}));
}

TEST_F(Receipts, ExactForTwoInputsOfTheSameBytes) {
  TurnRequest request("look");
  for (const char* name : {"1", "2"}) request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file(name, first), first);
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_EQ(codes(host.events(ATTACHE_EVENT_RECEIPT)), (Codes{E, E}));
}

TEST_F(Receipts, ExactForALongTextThatIsBase64) {
  const std::string letters(400'000, 'A');
  TurnRequest request("look");
  request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("1", letters), letters);
  request.add(ATTACHE_KIND_FILE, "application/pdf", stage.file("2", pdf), pdf);
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_EQ(codes(host.events(ATTACHE_EVENT_RECEIPT)), (Codes{E, E}));
}

TEST_F(Receipts, DroppedForTheMediaThatTheProviderRefused) {
  EXPECT_EQ(codes(receipts_of("media_removed")), (Codes{D, E, D, E}));
}

TEST_F(Receipts, UnknownWhenTheCliShowsNothing) {
  EXPECT_EQ(codes(receipts_of("no_replay")), (Codes{U, U, U, U}));
}

}  // namespace
}  // namespace attache::testing
