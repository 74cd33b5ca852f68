// SPDX-License-Identifier: Apache-2.0
// Damaged names, media types and documents: each is refused with the error of its kind, or keeps its promises.
#include <gtest/gtest.h>

#include <attache/descriptor.hpp>
#include <attache/error.hpp>
#include <attache/message.hpp>

#include "damage.hpp"
#include "descriptor/sample.hpp"
#include "inputs/display_name.hpp"
#include "inputs/media_type.hpp"
#include "inputs/utf8.hpp"

namespace attache::test {
namespace {

constexpr int rounds = 20000;

bool is_a_name(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.size() > inputs::max_name_bytes || !inputs::is_utf8(name)) {
    return false;
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '/' || c == '\\' || c == 0x7f) return false;
  }
  return true;
}

TEST(TextFuzz, DisplayNames) {
  const std::string seeds[] = {"scan.png",           "John's  report #1.pdf",         "Screenshot 3.04.41\u202fPM.png",
                               "e\u0301t\u00e9.pdf", std::string(300, 'n') + ".jpeg", "\u202egnp.exe"};
  Damage damage(1);
  int taken = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string given = damage.apply(seeds[damage.below(std::size(seeds))]);
    const auto declared = inputs::declared_name(given);
    declared.has_value() ? ++taken : ++refused;
    if (declared.has_value()) {
      ASSERT_TRUE(is_a_name(*declared)) << ::testing::PrintToString(given);
      ASSERT_EQ(inputs::declared_name(*declared), declared) << ::testing::PrintToString(given);
    }
    const std::string cleaned = inputs::cleaned_name(given);
    if (!cleaned.empty()) {
      ASSERT_TRUE(is_a_name(cleaned)) << ::testing::PrintToString(given);
      ASSERT_EQ(inputs::declared_name(cleaned), cleaned) << ::testing::PrintToString(given);
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 100);
}

TEST(TextFuzz, MediaTypes) {
  const std::string seeds[] = {"image/png", "IMAGE/JPG; q=1", "text/plain; charset=\"utf-8\"", "audio/x-wav",
                               "application/vnd.openxmlformats-officedocument.wordprocessingml.document"};
  Damage damage(2);
  int taken = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string given = damage.apply(seeds[damage.below(std::size(seeds))]);
    const auto type = inputs::normalize_media_type(given);
    type.has_value() ? ++taken : ++refused;
    if (type.has_value() && !type->empty()) {
      ASSERT_EQ(inputs::normalize_media_type(*type), type) << ::testing::PrintToString(given);
      for (const char c : *type) ASSERT_TRUE(c > ' ' && c < 0x7f && c != ';' && !(c >= 'A' && c <= 'Z')) << *type;
    }
    (void)inputs::extension_of(given);
    (void)inputs::media_type_of_name(given);
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 100);
}

TEST(TextFuzz, Histories) {
  const std::string seed =
      R"([{"role":"system","content":"Be brief."},{"role":"user","content":"See.","parts":[{"kind":"image","data":"iVBORw0KGgo=",)"
      R"("mediaType":"image/png"},{"kind":"document","url":"https://a.example/b?c=d","mediaType":"application/pdf"},)"
      R"({"kind":"audio","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","size":7,"mediaType":"audio/wav"}]},)"
      R"({"role":"assistant","content":"Seen. \u00e9"}])";
  ASSERT_EQ(messages_from_json(seed).size(), 3U);
  Damage damage(3);
  int taken = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string given = damage.apply(seed);
    try {
      const std::vector<Message> messages = messages_from_json(given);
      for (const Message& message : messages) ASSERT_NO_THROW(message.validate()) << given;
      const std::string written = to_json(messages);
      ASSERT_EQ(to_json(messages_from_json(written)), written) << given;
      ++taken;
    } catch (const InputError& error) {
      ASSERT_EQ(error.code(), errc::input_invalid) << given;
      ASSERT_FALSE(error.reason().empty());
      ++refused;
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 100);
}

TEST(TextFuzz, Descriptors) {
  const std::string seed = sample().dump();
  ASSERT_TRUE(parse_descriptor(seed).descriptor.has_value());
  Damage damage(4);
  int taken = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const DescriptorParse parse = parse_descriptor(damage.apply(seed));
    ASSERT_NE(parse.descriptor.has_value(), !parse.faults.empty());
    parse.descriptor.has_value() ? ++taken : ++refused;
  }
  EXPECT_GT(taken, 20);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace attache::test
