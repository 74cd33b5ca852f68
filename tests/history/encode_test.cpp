// SPDX-License-Identifier: Apache-2.0
#include <attache/sdk/base64.hpp>

#include "fixture.hpp"

namespace attache::testing {
namespace {

TEST(HistoryJson, TextOnlyMessagesAreWrittenAsIfThereWereNoParts) {
  EXPECT_EQ(to_json(std::vector<Message>{}), "[]");
  EXPECT_EQ(to_json({message(Role::system, "be brief"), message(Role::user, "\"hi\"\n\\\xc3\xa4"),
                     message(Role::assistant, ""), message(Role::tool, std::string("\0", 1))}),
            R"([{"role":"system","content":"be brief"},{"role":"user","content":"\"hi\"\n\\ä"},)"
            R"({"role":"assistant","content":""},{"role":"tool","content":"\u0000"}])");
}

TEST(HistoryJson, KeysStandInTheirOrder) {
  Part typed = url_part();
  typed.media_type = "image/png";
  Part audio = data_part("ab"), video = data_part("abc");
  audio.kind = input::Kind::audio;
  audio.media_type = "audio/wav";
  video.kind = input::Kind::video;
  video.media_type = "video/mp4";
  EXPECT_EQ(
      to_json({message(Role::user, "see", {url_part(), typed, data_part("a"), audio, video, reference_part("abc")})}),
      R"([{"role":"user","content":"see","parts":[)"
      R"({"kind":"image","url":"https://example.com/a.png"},)"
      R"({"kind":"image","url":"https://example.com/a.png","mediaType":"image/png"},)"
      R"({"kind":"image","data":"YQ==","mediaType":"image/png"},)"
      R"({"kind":"audio","data":"YWI=","mediaType":"audio/wav"},)"
      R"({"kind":"video","data":"YWJj","mediaType":"video/mp4"},)"
      R"({"kind":"document","mediaType":"application/pdf",)"
      R"("sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","size":3}]}])");
}

TEST(HistoryJson, MediaTypesAreNormalized) {
  Part part = data_part();
  part.media_type = "Image/JPG; q=1";
  EXPECT_NE(to_json({message(Role::user, "", {part})}).find(R"("mediaType":"image/jpeg"})"), std::string::npos);
  part.media_type = "Application/Octet-Stream";
  EXPECT_NE(to_json({message(Role::user, "", {part})}).find(R"("mediaType":"application/octet-stream"})"),
            std::string::npos);
}

TEST(HistoryJson, RoundTrips) {
  std::string content(300'000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 31 >> 3);
  const std::vector<Message> messages{message(Role::user, "look", {data_part(content), url_part(), reference_part()}),
                                      message(Role::assistant, "a diagram"),
                                      message(Role::user, "", {data_part("\xff")})};
  const std::string json = to_json(messages);
  const std::vector<Message> back = messages_from_json(json);
  EXPECT_TRUE(to_json(back) == json);
  ASSERT_EQ(back.size(), 3u);
  ASSERT_EQ(back[0].parts.size(), 3u);
  EXPECT_TRUE(back[0].parts[0].data == bytes(content));
  EXPECT_EQ(back[0].parts[1].url, "https://example.com/a.png");
  ASSERT_TRUE(back[0].parts[2].reference);
  EXPECT_EQ(back[0].parts[2].reference->sha256, sdk::sha256("content"));
  EXPECT_EQ(back[0].parts[2].reference->size, 7u);
  EXPECT_EQ(back[0].parts[2].kind, input::Kind::file);
  EXPECT_EQ(back[1].text, "a diagram");
  EXPECT_EQ(back[1].role, Role::assistant);
  EXPECT_TRUE(back[1].parts.empty());
}

}  // namespace
}  // namespace attache::testing
