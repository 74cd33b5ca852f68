// SPDX-License-Identifier: Apache-2.0
// Reading what a provider says: any JSON, versions, and bytes that it shows.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/json_access.hpp>
#include <attache/sdk/shown.hpp>
#include <attache/sdk/version.hpp>

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonAccess, WhatIsMissingOrOfAnotherTypeIsEmpty) {
  const Json object{{"text", "a"}, {"flag", true}, {"number", 7u}, {"negative", -7}, {"none", nullptr}};
  EXPECT_EQ(text(object, "text"), "a");
  EXPECT_EQ(text(object, "flag"), "");
  EXPECT_TRUE(flag(object, "flag"));
  EXPECT_FALSE(flag(object, "text"));
  EXPECT_EQ(number(object, "number"), 7u);
  EXPECT_EQ(number(object, "negative"), 0u);
  EXPECT_TRUE(member(object, "gone").is_null());
  EXPECT_TRUE(member(Json("no object"), "text").is_null());
  EXPECT_EQ(text(Json::array(), "text"), "");
}

TEST(JsonAccess, HalfASurrogatePairIsACharacter) {
  EXPECT_EQ(*parse_json<Json>(R"(["a\ud83d"])"), Json::array({"a\xEF\xBF\xBD"}));
  EXPECT_EQ(*parse_json<Json>(R"(["\ude00b"])"), Json::array({"\xEF\xBF\xBD"
                                                              "b"}));
  EXPECT_EQ(*parse_json<Json>(R"(["\ud83d\ude00"])"), Json::array({"\xF0\x9F\x98\x80"}));
  EXPECT_EQ(*parse_json<Json>(R"(["\\ud83d"])"), Json::array({"\\ud83d"}));
}

TEST(JsonAccess, NeitherGarbageNorAnAbyssIsADocument) {
  EXPECT_FALSE(parse_json<Json>("{"));
  EXPECT_FALSE(parse_json<Json>(""));
  const std::string deep(kMaxJsonDepth + 2, '[');
  EXPECT_FALSE(parse_json<Json>(deep + std::string(deep.size(), ']')));
  const std::string bearable(kMaxJsonDepth - 1, '[');
  EXPECT_TRUE(parse_json<Json>(bearable + std::string(bearable.size(), ']')));
}

TEST(ProviderVersion, IsWhatTheTextBeginsWith) {
  EXPECT_EQ(read_version("2.1.332 (Claude Code)\n"), (Version{2, 1, 332}));
  EXPECT_EQ(read_version("0.171.0"), (Version{0, 171, 0}));
  EXPECT_EQ(read_version("0.172.0-alpha.3"), (Version{0, 172, 0}));
  for (const char* none : {"", "1.2", "v1.2.3", "1.2.x", "1..2", "99999999999.1.1"}) {
    EXPECT_FALSE(read_version(none)) << none;
  }
  EXPECT_EQ(to_string(Version{1, 20, 3}), "1.20.3");
}

TEST(Measured, ADataUrlIsReadStrictly) {
  const Frame frame;
  const Measured good = measure_data_url("data:image/png;base64,YWJj", frame);
  EXPECT_EQ(good.media_type, "image/png");
  EXPECT_EQ(good.size, 3u);
  EXPECT_EQ(good.sha256, sha256("abc"));
  for (const char* bad : {"", "YWJj", "data:image/png,abc", "data:image/png;base64,YW\nJj", "data:image/png;base64,YWJ",
                          "file:///etc/hostname", "image content omitted because it could not be processed"}) {
    EXPECT_FALSE(measure_data_url(bad, frame).sha256) << bad;
    EXPECT_EQ(measure_data_url(bad, frame).media_type, "") << bad;
  }
}

TEST(Measured, Base64AndTextAreNotEachOther) {
  const Frame frame;
  EXPECT_EQ(measure_base64("YWJj", frame).sha256, sha256("abc"));
  EXPECT_EQ(measure_text("YWJj", frame).sha256, sha256("YWJj"));
  EXPECT_FALSE(measure_base64("not base64", frame).sha256);
}

/// What is too long to be kept is measured by the splitter.
TEST(Measured, ALongStringIsWhatTheFrameKnows) {
  JsonLines lines({.string_bytes = 8});
  Frame kept;
  const std::string line = R"({"u":"data:image/png;base64,YWJj","b":"YWJjYWJjYWJj"})"
                           "\n";
  lines.feed(line, [&](Frame& frame) { return kept = std::move(frame), true; });
  const Json json = Json::parse(kept.json);
  EXPECT_EQ(measure_data_url(text(json, "u"), kept).sha256, sha256("abc"));
  EXPECT_EQ(measure_data_url(text(json, "b"), kept).sha256, std::nullopt) << "no data URL";
  EXPECT_EQ(measure_base64(text(json, "b"), kept).sha256, sha256("abcabcabc"));
  EXPECT_EQ(measure_base64(text(json, "u"), kept).sha256, std::nullopt) << "a data URL";
  EXPECT_EQ(removed_note(*kept.find(text(json, "b"))),
            "[removed: base64 of 9 bytes, sha256 " + to_hex(sha256("abcabcabc")) + "]");
}

}  // namespace
}  // namespace attache::sdk
