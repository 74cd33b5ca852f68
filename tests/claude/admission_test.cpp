// SPDX-License-Identifier: Apache-2.0
// What the driver refuses by itself: typed, with the input's index, and without starting anything.
#include <gtest/gtest.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

class Admission : public ::testing::Test {
 protected:
  /// One good image first, so that an index of 1 means something.
  Admission() : good_(bytes_of(100, 1)), request("look") {
    request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("input-1.png", good_), good_);
  }
  attache_input& second(std::uint32_t kind, const std::string& type) {
    return request.add(kind, type, stage.file("input-2", good_), good_);
  }
  void refused(attache_status status, const std::string& reason, std::int64_t index, std::uint64_t limit = 0) {
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), status);
    ASSERT_EQ(host.errors().size(), 1u);
    EXPECT_EQ(host.errors()[0].status, status);
    EXPECT_EQ(host.errors()[0].reason, reason);
    EXPECT_EQ(host.errors()[0].input_index, index);
    EXPECT_EQ(host.errors()[0].limit, limit);
    EXPECT_FALSE(stage.started());
    EXPECT_TRUE(stage.clean());
    EXPECT_TRUE(host.events(ATTACHE_EVENT_RECEIPT).empty());
    for (const attache_delivery state : host.deliveries()) EXPECT_EQ(state, ATTACHE_NOT_DELIVERED);
    const std::string place = stage.root().string();
    EXPECT_EQ(host.errors()[0].text.find(place), std::string::npos);
  }
  void taken() {
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
    EXPECT_TRUE(stage.started());
  }
  Stage stage;
  std::string good_;
  TurnRequest request;
};

TEST_F(Admission, TakesWhatIsRefusedBelowWithoutItsFlaw) {
  second(ATTACHE_KIND_FILE, "application/pdf");
  taken();
}

TEST_F(Admission, RefusesKinds) {
  attache_input& input = second(ATTACHE_KIND_AUDIO, "audio/wav");
  refused(ATTACHE_UNSUPPORTED_KIND, "kind_unsupported", 1);
  input.kind = ATTACHE_KIND_VIDEO;
  refused(ATTACHE_UNSUPPORTED_KIND, "kind_unsupported", 1);
  input.kind = 77;
  refused(ATTACHE_UNSUPPORTED_KIND, "kind_unsupported", 1);
}

TEST_F(Admission, RefusesModes) {
  attache_input& input = second(ATTACHE_KIND_IMAGE, "image/png");
  for (const std::uint32_t mode : {ATTACHE_MODE_WORKSPACE_REFERENCE, ATTACHE_MODE_PROVIDER_URL, 0u, 99u}) {
    input.mode = mode;
    refused(ATTACHE_UNSUPPORTED_MODE, "mode_unsupported", 1);
  }
}

TEST_F(Admission, R_A1_RefusesMediaTypesThatCoreDidNotNormalize) {
  second(ATTACHE_KIND_IMAGE, "image/jpg");
  refused(ATTACHE_UNSUPPORTED_MEDIA_TYPE, "media_type_unsupported", 1);
}

TEST_F(Admission, RefusesMediaTypesOfAnotherKind) {
  second(ATTACHE_KIND_IMAGE, "application/pdf");
  refused(ATTACHE_UNSUPPORTED_MEDIA_TYPE, "media_type_unsupported", 1);
}

TEST_F(Admission, RefusesWhatWasNotDeclared) {
  const std::string some = "{\"a\":1}";
  request.raw().checkpoint = span(some);
  refused(ATTACHE_RESUME_REJECTED, "resume_unsupported", -1);
  request.raw().checkpoint = {};
  request.raw().fork = 1;
  refused(ATTACHE_INVALID, "fork_unsupported", -1);
  request.raw().fork = 0;
  request.raw().output_schema = span(some);
  refused(ATTACHE_INVALID, "output_schema_unsupported", -1);
  request.raw().output_schema = {};
  request.raw().options = span(some);
  refused(ATTACHE_INVALID, "options_unsupported", -1);
  request.raw().options = {};
  attache_message message{};
  message.struct_size = sizeof message;
  const attache_message* const history[] = {&message};
  request.raw().history = history;
  request.raw().history_count = 1;
  refused(ATTACHE_INVALID, "history_unsupported", -1);
  request.raw().history_count = 0;
  const std::string none = "{}";
  request.raw().options = span(none);
  request.raw().forbid_retention = 1;
  taken();
}

TEST_F(Admission, RefusesAnEmptyTurn) {
  TurnRequest empty("");
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(stage.config()).run(empty, host), ATTACHE_INVALID);
  EXPECT_EQ(host.errors().at(0).reason, "nothing_to_send");
  EXPECT_FALSE(stage.started());
}

TEST_F(Admission, R_F10_RefusesAPromptThatIsNotUtf8) {
  for (const char* bad : {"\xed\xa0\x80", "a\xff"}) {
    TurnRequest broken(bad);
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config()).run(broken, host), ATTACHE_INVALID);
    EXPECT_EQ(host.errors().at(0).reason, "prompt_not_utf8");
    EXPECT_FALSE(stage.started());
  }
}

TEST_F(Admission, RefusesTextThatIsNotUtf8) {
  const std::string latin1 = "caf\xe9";
  request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("input-2.txt", latin1), latin1);
  refused(ATTACHE_INVALID, "text_not_utf8", 1);
}

TEST_F(Admission, R_C1_CountsAnImageAfterBase64) {
  attache_input& input = second(ATTACHE_KIND_IMAGE, "image/png");
  input.size = 7'500'001;  // 10,000,004 characters; the file is never opened
  refused(ATTACHE_TOO_LARGE, "encoded_size_limit", 1, 10'000'000);
}

TEST_F(Admission, R_C1_TakesAnImageAtTheLimit) {
  const std::string largest = bytes_of(7'500'000, 5);
  request.add(ATTACHE_KIND_IMAGE, "image/png", stage.file("large.png", largest), largest);
  taken();
}

TEST_F(Admission, CountsTheWholeTurnAfterEncoding) {
  second(ATTACHE_KIND_FILE, "application/pdf").size = 12'000'000;
  attache_input& third = request.add(ATTACHE_KIND_FILE, "application/pdf", stage.file("input-3", good_), good_);
  third.size = 11'999'000;
  refused(ATTACHE_TOO_LARGE, "request_size_limit", 2, 31'950'000);
}

TEST_F(Admission, CountsTheEscapesOfTextExactly) {
  const std::string quotes(16'000'000, '"');  // 21.3 MB as base64, 32 MB as a JSON string
  request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("input-2.txt", quotes), quotes);
  refused(ATTACHE_TOO_LARGE, "request_size_limit", 1, 31'950'000);
}

TEST_F(Admission, CountsImages) {
  for (int i = 0; i < 100; ++i) second(ATTACHE_KIND_IMAGE, "image/png");
  refused(ATTACHE_TOO_LARGE, "count_limit", 100, 100);
}

TEST_F(Admission, RefusesATextFileThatIsNotWhatTheRequestSays) {
  const std::string plain = "plain";
  attache_input& input = request.add(ATTACHE_KIND_FILE, "text/plain", stage.file("input-2.txt", plain), plain);
  input.sha256[0] ^= 1;
  refused(ATTACHE_CONTRACT, "digest_changed", 1);
  input.sha256[0] ^= 1;
  input.size += 1;
  refused(ATTACHE_CONTRACT, "size_changed", 1);
  input.size -= 1;
  taken();
}

}  // namespace
}  // namespace attache::testing
