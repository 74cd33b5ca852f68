// SPDX-License-Identifier: Apache-2.0
// Refused before a process exists; and what the turn looks like once it is let through.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class CodexAdmission : public ::testing::Test {
 protected:
  attache_input& add(TurnRequest& request, std::uint32_t kind, const std::string& type) const {
    return request.add(kind, type, stage.file("input-" + std::to_string(kind), bytes), bytes);
  }
  void refused(TurnRequest& request, attache_status status, const std::string& reason, std::int64_t index = 0) {
    EXPECT_EQ(CodexInstance(stage.config()).run(request, host), status);
    ASSERT_EQ(host.errors().size(), 1u);
    EXPECT_EQ(host.errors()[0].reason, reason);
    EXPECT_EQ(host.errors()[0].input_index, index);
    EXPECT_EQ(host.deliveries().back(), ATTACHE_NOT_DELIVERED);
    EXPECT_FALSE(stage.started());
    EXPECT_TRUE(stage.clean());
  }
  Stage stage;
  Recorder host;
  const std::string bytes = bytes_of(100, 1);
};

TEST_F(CodexAdmission, Video) {
  TurnRequest request("look");
  add(request, ATTACHE_KIND_VIDEO, "video/mp4");
  refused(request, ATTACHE_UNSUPPORTED_KIND, "kind_unsupported");
}

TEST_F(CodexAdmission, R_A7_R_A8_R_A9_TypesTheCliSwapsForASentence) {
  for (const char* type : {"image/svg+xml", "image/bmp", "image/tiff", "image/heic"}) {
    SCOPED_TRACE(type);
    TurnRequest request("look");
    add(request, ATTACHE_KIND_IMAGE, type);
    const Recorder once;
    EXPECT_EQ(CodexInstance(stage.config()).run(request, once), ATTACHE_UNSUPPORTED_MEDIA_TYPE);
    EXPECT_FALSE(stage.started());
  }
}

TEST_F(CodexAdmission, AFileIsNeverNative) {
  TurnRequest request("look");
  add(request, ATTACHE_KIND_FILE, "application/pdf");
  refused(request, ATTACHE_UNSUPPORTED_MODE, "mode_unsupported");
}

TEST_F(CodexAdmission, AnImageIsNeverAReference) {
  TurnRequest request("look");
  add(request, ATTACHE_KIND_IMAGE, "image/png").mode = ATTACHE_MODE_WORKSPACE_REFERENCE;
  refused(request, ATTACHE_UNSUPPORTED_MODE, "mode_unsupported");
}

TEST_F(CodexAdmission, AudioOverTheLimit) {
  TurnRequest request("listen");
  add(request, ATTACHE_KIND_AUDIO, "audio/wav").size = 52'428'801;
  refused(request, ATTACHE_TOO_LARGE, "size_limit");
  EXPECT_EQ(host.errors()[0].limit, 52'428'800u);
}

TEST_F(CodexAdmission, R_A12_AGifThatHasToStayExact) {
  TurnRequest request("look");
  add(request, ATTACHE_KIND_IMAGE, "image/gif").exact = 1;
  refused(request, ATTACHE_INVALID, "exact_impossible");
}

TEST_F(CodexAdmission, NothingToSend) {
  TurnRequest request("");
  refused(request, ATTACHE_INVALID, "nothing_to_send", -1);
}

TEST_F(CodexAdmission, APromptLongerThanTheCliTakes) {
  TurnRequest request(std::string(1'048'577, 'x'));
  refused(request, ATTACHE_TOO_LARGE, "prompt_too_long", -1);
  EXPECT_EQ(host.errors()[0].limit, 1'048'576u);
}

TEST_F(CodexAdmission, CharactersCountAndNotBytes) {
  std::string prompt;
  for (int i = 0; i < 600'000; ++i) prompt += "\xC3\xA9";
  TurnRequest request(prompt);
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
}

TEST_F(CodexAdmission, APromptThatIsNotUtf8) {
  TurnRequest request("a\xFFz");
  refused(request, ATTACHE_INVALID, "prompt_not_utf8", -1);
}

TEST_F(CodexAdmission, AnOutputSchemaThatIsNone) {
  TurnRequest request("say");
  const std::string schema = "[1]";
  request.raw().output_schema = span(schema);
  refused(request, ATTACHE_INVALID, "output_schema_invalid", -1);
}

TEST_F(CodexAdmission, RetentionForbiddenOnAThread) {
  TurnRequest request("say");
  const std::string thread = "t";
  request.raw().thread = span(thread);
  request.raw().forbid_retention = 1;
  refused(request, ATTACHE_INVALID, "retention_needed", -1);
}

TEST_F(CodexAdmission, AModelWithoutTheModality) {
  stage.scenario("blind");
  TurnRequest request("look");
  add(request, ATTACHE_KIND_IMAGE, "image/png");
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_UNSUPPORTED_KIND);
  EXPECT_EQ(host.errors().at(0).reason, "model_without_modality");
  EXPECT_EQ(host.errors()[0].input_index, 0);
  EXPECT_EQ(host.deliveries().back(), ATTACHE_NOT_DELIVERED);
  EXPECT_TRUE(stage.sent("turn/start").is_null());
}

TEST_F(CodexAdmission, AudioOnAModelThatDoesNotTakeIt) {
  TurnRequest request("listen");
  add(request, ATTACHE_KIND_AUDIO, "audio/wav");
  EXPECT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_UNSUPPORTED_KIND);
  EXPECT_TRUE(stage.sent("turn/start").is_null());
}

TEST_F(CodexAdmission, TheTurnKeepsOrderAndNamesNoPathOfMedia) {
  TurnRequest request("--help");
  add(request, ATTACHE_KIND_IMAGE, "image/png");
  attache_input& file = add(request, ATTACHE_KIND_FILE, "application/pdf");
  file.mode = ATTACHE_MODE_WORKSPACE_REFERENCE;
  add(request, ATTACHE_KIND_IMAGE, "image/jpeg");
  ASSERT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  const Json input = stage.sent("turn/start")["params"]["input"];
  ASSERT_EQ(input.size(), 4u);
  EXPECT_EQ(input[0]["text"], "--help") << "R-F2";
  EXPECT_EQ(input[1]["type"], "image");
  const std::string url = input[1]["url"];
  const std::string before = "data:image/png;base64,";
  ASSERT_EQ(url.substr(0, before.size()), before);
  EXPECT_EQ(digest_of(decode_base64(url.substr(before.size()))), digest_of(bytes));
  EXPECT_EQ(input[2]["text"],
            "[attache input 2: file application/pdf " + (stage.root() / "run" / "input-2").string() + "]");
  EXPECT_EQ(input[3]["url"].get<std::string>().substr(0, 23), "data:image/jpeg;base64,");
  EXPECT_EQ(input.dump().find("input-1"), std::string::npos);
}

TEST_F(CodexAdmission, R_F1_R_F2_ThePromptArrivesWholeWithAnyNumberOfImages) {
  for (const int images : {0, 1, 3}) {
    SCOPED_TRACE(images);
    const Stage place;
    TurnRequest request("-i other.png --help");
    for (int i = 0; i < images; ++i) {
      request.add(ATTACHE_KIND_IMAGE, "image/png", place.file("input-" + std::to_string(i), bytes), bytes);
    }
    const Recorder once;
    ASSERT_EQ(CodexInstance(place.config()).run(request, once), ATTACHE_OK);
    const Json input = place.sent("turn/start")["params"]["input"];
    EXPECT_EQ(input.size(), 1u + static_cast<unsigned>(images));
    EXPECT_EQ(input[0]["text"], "-i other.png --help");
    EXPECT_EQ(place.start()["arguments"].dump().find("other.png"), std::string::npos);
  }
}

TEST_F(CodexAdmission, NoTextItemForAnEmptyPrompt) {
  TurnRequest request("");
  add(request, ATTACHE_KIND_IMAGE, "image/png");
  ASSERT_EQ(CodexInstance(stage.config()).run(request, host), ATTACHE_OK);
  EXPECT_EQ(stage.sent("turn/start")["params"]["input"].size(), 1u);
}

}  // namespace
}  // namespace attache::testing
