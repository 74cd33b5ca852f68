// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

namespace attache::testing {
namespace {

TEST(HistoryFromJson, OldJsonWithoutPartsComesBackUnchanged) {
  const std::string old =
      R"([{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"tool","content":"t"}])";
  const std::vector<Message> messages = messages_from_json(old);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].role, Role::system);
  EXPECT_EQ(messages[3].role, Role::tool);
  for (const Message& one : messages) EXPECT_TRUE(one.parts.empty());
  EXPECT_EQ(to_json(messages), old);
  EXPECT_TRUE(messages_from_json("[]").empty());
}

TEST(HistoryFromJson, UnknownKeysAreIgnored) {
  const std::vector<Message> messages = messages_from_json(
      R"( [ {"id":7,"content":"u","meta":{"a":[1,{"b":null}]},"role":"user","parts":[
            {"name":"a.png","mediaType":"image/png","size":"not asked for","data":"YQ==","kind":"image","x":[]}]} ] )");
  ASSERT_EQ(messages.size(), 1u);
  ASSERT_EQ(messages[0].parts.size(), 1u);
  EXPECT_EQ(messages[0].parts[0].data, bytes("a"));
  EXPECT_EQ(to_json(messages),
            R"([{"role":"user","content":"u","parts":[{"kind":"image","data":"YQ==","mediaType":"image/png"}]}])");
}

TEST(HistoryFromJson, EmptyPartsAreNoParts) {
  EXPECT_EQ(to_json(messages_from_json(R"([{"role":"tool","content":"t","parts":[]}])")),
            R"([{"role":"tool","content":"t"}])");
}

TEST(HistoryFromJson, MediaTypesAreNormalized) {
  const auto messages = messages_from_json(
      R"([{"role":"user","content":"","parts":[{"kind":"audio","data":"YQ==","mediaType":"Audio/X-WAV; rate=1"}]}])");
  EXPECT_EQ(messages.at(0).parts.at(0).media_type, "audio/wav");
}

TEST(HistoryFromJson, WhatIsNoHistoryIsMalformed) {
  for (const char* const json : {"",
                                 "secret",
                                 "{}",
                                 "null",
                                 "\"[]\"",
                                 "[",
                                 "[]x",
                                 "\xef\xbb\xbf[]",
                                 "[\"\xff\"]",
                                 "[1]",
                                 "[[]]",
                                 "[{}]",
                                 R"([{"role":"user"}])",
                                 R"([{"content":"c"}])",
                                 R"([{"role":"secret","content":"c"}])",
                                 R"([{"role":1,"content":"c"}])",
                                 R"([{"role":"user","content":null}])",
                                 R"([{"role":"user","content":[]}])",
                                 R"([{"role":"user","content":"c","content":"secret"}])",
                                 R"([{"role":"user","content":"\ud800"}])",
                                 R"([{"role":"user","content":"c","parts":{}}])",
                                 R"([{"role":"user","content":"c","parts":null}])",
                                 R"([{"role":"user","content":"c","parts":["secret"]}])"}) {
    EXPECT_EQ(refusal([&] { messages_from_json(json); }), "history_malformed") << json;
  }
}

std::string reason_of_part(const std::string& part) {
  return refusal([&] { messages_from_json(R"([{"role":"user","content":"c","parts":[)" + part + "]}]"); });
}

TEST(HistoryFromJson, MalformedParts) {
  const std::string hex(64, 'a');
  for (const std::string& part :
       {std::string(R"({"data":"YQ==","mediaType":"image/png"})"),
        std::string(R"({"kind":"file","data":"YQ==","mediaType":"image/png"})"),
        std::string(R"({"kind":1,"data":"YQ==","mediaType":"image/png"})"),
        std::string(R"({"kind":"image","data":1,"mediaType":"image/png"})"),
        std::string(R"({"kind":"image","data":"YQ==","mediaType":1})"), std::string(R"({"kind":"image","url":1})"),
        std::string(R"({"kind":"image","sha256":1,"size":1,"mediaType":"image/png"})"),
        std::string(R"({"kind":"image","sha256":"aa","size":1,"mediaType":"image/png"})"),
        R"({"kind":"image","sha256":")" + hex + R"(","mediaType":"image/png"})",
        R"({"kind":"image","sha256":")" + hex + R"(","size":-1,"mediaType":"image/png"})",
        R"({"kind":"image","sha256":")" + hex + R"(","size":1.5,"mediaType":"image/png"})",
        R"({"kind":"image","sha256":")" + hex + R"(","size":"1","mediaType":"image/png"})",
        R"({"kind":"image","sha256":")" + std::string(64, 'A') + R"(","size":1,"mediaType":"image/png"})",
        R"({"kind":"image","sha256":")" + std::string(64, 'g') + R"(","size":1,"mediaType":"image/png"})"}) {
    EXPECT_EQ(reason_of_part(part), "history_malformed") << part;
  }
}

TEST(HistoryFromJson, InvalidBase64) {
  for (const char* const data :
       {"YQ", "YQ=", "YQ==\\n", "Y Q=", "YR==", "-_-_", "YQ==YQ==", "=", "data:image/png;base64,YQ=="}) {
    EXPECT_EQ(reason_of_part(R"({"kind":"image","data":")" + std::string(data) + R"(","mediaType":"image/png"})"),
              "history_malformed")
        << data;
  }
}

TEST(HistoryFromJson, RulesAreCheckedAfterReading) {
  EXPECT_EQ(reason_of_part(R"({"kind":"image"})"), "part_content_missing");
  EXPECT_EQ(reason_of_part(R"({"kind":"image","data":"YQ==","url":"https://a.example/","mediaType":"image/png"})"),
            "part_content_ambiguous");
  EXPECT_EQ(reason_of_part(R"({"kind":"image","data":"YQ=="})"), "media_type_missing");
  EXPECT_EQ(reason_of_part(R"({"kind":"image","data":"","mediaType":"image/png"})"), "empty");
  EXPECT_EQ(reason_of_part(R"({"kind":"image","url":"https://secret@a.example/"})"), "url_user_info");
}

}  // namespace
}  // namespace attache::testing
