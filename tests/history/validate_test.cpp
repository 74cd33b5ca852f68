// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

namespace attache::testing {
namespace {

using input::Kind;

TEST(PartValidate, EveryRuleBrokenOnce) {
  struct Case {
    const char* reason;
    void (*spoil)(Part&);
  };
  const Case cases[] = {
      {"kind_invalid", [](Part& p) { p.kind = Kind{}; }},
      {"kind_invalid", [](Part& p) { p.kind = Kind{5}; }},
      {"part_content_missing", [](Part& p) { p.data.reset(); }},
      {"part_content_ambiguous", [](Part& p) { p.url = "https://example.com/"; }},
      {"part_content_ambiguous",
       [](Part& p) {
         p.reference = ContentReference{{}, 1};
       }},
      {"part_content_ambiguous",
       [](Part& p) {
         p = url_part();
         p.reference = ContentReference{{}, 1};
       }},
      {"media_type_missing", [](Part& p) { p.media_type.clear(); }},
      {"media_type_missing",
       [](Part& p) {
         p = reference_part();
         p.media_type.clear();
       }},
      {"media_type_malformed", [](Part& p) { p.media_type = "secret"; }},
      {"media_type_malformed", [](Part& p) { p.media_type = "image/png\n"; }},
      {"media_type_malformed",
       [](Part& p) {
         p = url_part();
         p.media_type = "image/";
       }},
      {"empty", [](Part& p) { p.data->clear(); }},
      {"empty",
       [](Part& p) {
         p = reference_part();
         p.reference->size = 0;
       }},
      {"url_malformed", [](Part& p) { p = url_part(""); }},
      {"url_user_info", [](Part& p) { p = url_part("https://secret@example.com/"); }},
  };
  for (const Case& one : cases) {
    Part part = data_part();
    ASSERT_NO_THROW(part.validate());
    one.spoil(part);
    EXPECT_EQ(refusal([&] { part.validate(); }), one.reason);
    const Message holder = message(Role::user, "", {data_part(), part});
    EXPECT_EQ(refusal([&] { holder.validate(); }), one.reason);
    EXPECT_EQ(refusal([&] { to_json({holder}); }), one.reason);
  }
}

TEST(PartValidate, AcceptsEachKindAndContent) {
  for (const Kind kind : {Kind::image, Kind::file, Kind::audio, Kind::video}) {
    for (Part part : {data_part(), url_part(), reference_part()}) {
      part.kind = kind;
      EXPECT_NO_THROW(part.validate());
    }
  }
  Part part = data_part();
  part.media_type = "application/octet-stream";
  EXPECT_NO_THROW(part.validate());
}

TEST(PartValidate, Urls) {
  for (const char* const url :
       {"https://example.com", "https://example.com:8443/a%20b?c=d@e#f", "gs://bucket/object", "s3://bucket/key",
        "https://[2001:db8::1]/a", "https://[::1]:80", "HTTPS://EXAMPLE.COM/", "https://example.com:/"}) {
    EXPECT_NO_THROW(url_part(url).validate()) << url;
  }
  for (const std::string& url : {std::string("example.com"),
                                 std::string("//example.com/"),
                                 std::string("https:example.com"),
                                 std::string("https:///a"),
                                 std::string("https://"),
                                 std::string("1https://example.com"),
                                 std::string("https://example.com/a b"),
                                 std::string("https://example.com/\n"),
                                 std::string("https://ex\"ample.com"),
                                 std::string("https://example.com/%2"),
                                 std::string("https://example.com/%zz"),
                                 std::string("https://example.com:http/"),
                                 std::string("https://example.com:123456/"),
                                 std::string("https://[::1"),
                                 std::string("https://[]/"),
                                 std::string("https://[::1]x/"),
                                 std::string("https://ex[ample.com/"),
                                 std::string("https://b\xc3\xbc"
                                             "cher.example/"),
                                 std::string("https://example.com/\0", 21),
                                 std::string("data:image/png;base64,AAAA"),
                                 std::string("file:/etc/passwd"),
                                 "https://example.com/" + std::string(9000, 'a')}) {
    EXPECT_EQ(refusal([&] { url_part(url).validate(); }), "url_malformed") << url;
  }
  for (const char* const url :
       {"https://secret@example.com/", "https://user:secret@example.com", "https://@example.com"}) {
    EXPECT_EQ(refusal([&] { url_part(url).validate(); }), "url_user_info") << url;
  }
}

TEST(MessageValidate, R_E8_PartsOnlyOnUserMessages) {
  for (const Role role : {Role::assistant, Role::system, Role::tool}) {
    for (const Part& part : {data_part(), url_part(), reference_part()}) {
      const Message made = message(role, "the tool's picture", {part});
      EXPECT_EQ(refusal([&] { made.validate(); }), "parts_not_on_user");
      EXPECT_EQ(refusal([&] { to_json({message(Role::user, "hi"), made}); }), "parts_not_on_user");
    }
    EXPECT_NO_THROW(message(role, "text").validate());
  }
  EXPECT_NO_THROW(message(Role::user, "", {data_part()}).validate());
}

TEST(MessageValidate, R_E8_AToolMessageWithAPictureIsNotReadEither) {
  const std::string json =
      R"([{"role":"tool","content":"","parts":[{"kind":"image","data":"AAAA","mediaType":"image/png"}]}])";
  EXPECT_EQ(refusal([&] { messages_from_json(json); }), "parts_not_on_user");
}

TEST(MessageValidate, TextAndRole) {
  EXPECT_EQ(refusal([] { message(Role::user, "\xff").validate(); }), "text_not_utf8");
  EXPECT_EQ(refusal([] { message(Role::assistant, "\xed\xa0\x80").validate(); }), "text_not_utf8");
  EXPECT_EQ(refusal([] { message(Role{}, "").validate(); }), "role_invalid");
  EXPECT_EQ(refusal([] { message(Role{5}, "").validate(); }), "role_invalid");
  EXPECT_NO_THROW(message(Role::user, std::string("\0 \xf0\x9f\x98\x80", 6)).validate());
}

TEST(MessageValidate, TheErrorSaysWhere) {
  Part part = data_part();
  part.media_type.clear();
  try {
    to_json({message(Role::user, "hi"), message(Role::user, "", {data_part(), part})});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("message 2, part 2: ", 0), 0u) << error.what();
    EXPECT_EQ(error.kind(), Kind::image);
    EXPECT_FALSE(error.index()) << "that is of with_inputs";
  }
}

}  // namespace
}  // namespace attache::testing
