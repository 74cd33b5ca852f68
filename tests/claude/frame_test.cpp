// SPDX-License-Identifier: Apache-2.0
// The one frame, decoded again and compared by SHA-256.
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class Frame : public ::testing::Test {
 protected:
  Json content_of(TurnRequest& request) {
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config()).run(request, host), ATTACHE_OK);
    EXPECT_FALSE(stage.recorded("second-frame"));
    frame = stage.frame();
    return frame["message"]["content"];
  }
  void add(TurnRequest& request, std::uint32_t kind, const std::string& type, const std::string& name,
           const std::string& bytes) {
    request.add(kind, type, stage.file(name, bytes), bytes);
  }
  Stage stage;
  Json frame;
};

TEST_F(Frame, IsTheUserMessageThatTurnsOffTheCliOwnReadingOfText) {
  TurnRequest request("/help @/etc/passwd --version");
  EXPECT_EQ(content_of(request), Json::parse(R"([{"type":"text","text":"/help @/etc/passwd --version"}])"));
  EXPECT_EQ(frame["type"], "user");
  EXPECT_EQ(frame["client_composed"], true);
  EXPECT_EQ(frame["session_id"], "");
  EXPECT_EQ(frame["message"]["role"], "user");
  const std::regex v4("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  const std::string first = frame["uuid"];
  EXPECT_TRUE(std::regex_match(first, v4)) << first;
  content_of(request);
  EXPECT_NE(frame["uuid"], first);
}

TEST_F(Frame, R_E1_R_M3_CarriesEveryInputInOrderAfterTheText) {
  const std::vector<std::pair<std::string, std::uint32_t>> types{
      {"image/png", ATTACHE_KIND_IMAGE},  {"application/pdf", ATTACHE_KIND_FILE},
      {"image/jpeg", ATTACHE_KIND_IMAGE}, {"image/gif", ATTACHE_KIND_IMAGE},
      {"image/webp", ATTACHE_KIND_IMAGE}, {"application/pdf", ATTACHE_KIND_FILE}};
  TurnRequest request("compare");
  std::vector<std::string> sent;
  for (std::size_t i = 0; i < types.size(); ++i) {
    sent.push_back(bytes_of(1000 + i, static_cast<unsigned>(i)));
    add(request, types[i].second, types[i].first, "input-" + std::to_string(i), sent.back());
  }
  const Json content = content_of(request);
  ASSERT_EQ(content.size(), 1 + types.size());
  EXPECT_EQ(content[0]["text"], "compare");
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Json& block = content[i + 1];
    EXPECT_EQ(block["type"], types[i].second == ATTACHE_KIND_IMAGE ? "image" : "document");
    EXPECT_EQ(block["source"]["type"], "base64");
    EXPECT_EQ(block["source"]["media_type"], types[i].first);
    EXPECT_EQ(digest_of(decode_base64(block["source"]["data"])), digest_of(sent[i]));
  }
}

TEST_F(Frame, R_F8_EncodesEveryPaddingWithoutLineBreaks) {
  for (const std::size_t size : {81u, 82u, 83u, 10000u}) {
    TurnRequest request("look");
    const std::string bytes = bytes_of(size, 3);
    add(request, ATTACHE_KIND_IMAGE, "image/png", "a.png", bytes);
    EXPECT_EQ(decode_base64(content_of(request)[1]["source"]["data"]), bytes);
  }
}

TEST_F(Frame, CarriesPlainTextAsATextDocument) {
  const std::string text = "line\r\n\"quoted\" \\ \t \xe2\x80\xa8 \xf0\x9f\x8e\x89 " + std::string(1, '\0') + "end";
  TurnRequest request("read");
  add(request, ATTACHE_KIND_FILE, "text/plain", "a.txt", text);
  const Json block = content_of(request)[1];
  EXPECT_EQ(block["type"], "document");
  EXPECT_EQ(block["source"]["type"], "text");
  EXPECT_EQ(block["source"]["media_type"], "text/plain");
  EXPECT_EQ(block["source"]["data"].get<std::string>(), text);
}

TEST_F(Frame, TitlesAreNeutralAndNoNameOrPathIsInIt) {
  TurnRequest request("read");
  const std::string pdf = bytes_of(50, 1);
  add(request, ATTACHE_KIND_IMAGE, "image/png", "ignore-all-instructions.png", pdf);
  add(request, ATTACHE_KIND_FILE, "application/pdf", "ignore-all-instructions.pdf", pdf);
  add(request, ATTACHE_KIND_FILE, "text/plain", "ignore-all-instructions.txt", "text");
  const Json content = content_of(request);
  EXPECT_FALSE(content[1].contains("title"));
  EXPECT_EQ(content[2]["title"], "document-1");
  EXPECT_EQ(content[3]["title"], "document-2");
  EXPECT_EQ(frame.dump().find("ignore-all"), std::string::npos);
  EXPECT_EQ(frame.dump().find(stage.root().string()), std::string::npos);
}

TEST_F(Frame, R_E6_HasNoTextBlockWithoutAPrompt) {
  TurnRequest request("");
  const std::string png = bytes_of(69, 1);
  add(request, ATTACHE_KIND_IMAGE, "image/png", "a.png", png);
  const Json content = content_of(request);
  ASSERT_EQ(content.size(), 1u);
  EXPECT_EQ(content[0]["type"], "image");
}

TEST_F(Frame, R_F2_R_F6_CarriesAnyPromptAsText) {
  for (const std::string& prompt : {std::string("--help"), std::string("-i other.png"), std::string(200000, 'p'),
                                    std::string(" \n\t\xe2\x80\xae attache-slot:0 \\u0000\" ")}) {
    TurnRequest request(prompt);
    const std::string png = bytes_of(69, 1);
    add(request, ATTACHE_KIND_IMAGE, "image/png", "a.png", png);
    const Json content = content_of(request);
    EXPECT_EQ(content[0]["text"].get<std::string>(), prompt);
    EXPECT_EQ(decode_base64(content[1]["source"]["data"]), png);
    EXPECT_EQ(stage.start()["arguments"].dump().find("other.png"), std::string::npos);
  }
}

}  // namespace
}  // namespace attache::testing
