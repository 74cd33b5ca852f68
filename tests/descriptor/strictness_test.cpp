// SPDX-License-Identifier: Apache-2.0
// Documents that two readers could understand differently, or that cost too much.
#include <gtest/gtest.h>

#include "descriptor/strict_json.hpp"
#include "sample.hpp"

namespace attache::test {
namespace {

std::string fault_of(const std::string& text) {
  const DescriptorParse result = parse_descriptor(text);
  EXPECT_FALSE(result.descriptor.has_value());
  return result.faults.empty() ? "none" : result.faults.front().pointer + ": " + result.faults.front().text;
}

std::string sample_with(const std::string& after_brace) {
  return "{" + after_brace + sample().dump().substr(1);
}

TEST(DescriptorStrictness, NoJson) {
  EXPECT_EQ(fault_of(""), ": not valid UTF-8 JSON at byte 1");
  EXPECT_NE(fault_of("{").find("not valid UTF-8 JSON"), std::string::npos);
  EXPECT_NE(fault_of(sample().dump() + "x").find("not valid UTF-8 JSON"), std::string::npos);
  EXPECT_NE(fault_of("// comment\n" + sample().dump()).find("not valid UTF-8 JSON"), std::string::npos);
  EXPECT_EQ(fault_of("[]"), ": must be an object");
  EXPECT_EQ(fault_of("null"), ": must be an object");
}

TEST(DescriptorStrictness, ByteOrderMark) {
  EXPECT_EQ(fault_of("\xef\xbb\xbf" + sample().dump()), ": begins with a byte order mark");
}

TEST(DescriptorStrictness, DuplicateKeys) {
  EXPECT_EQ(fault_of(sample_with(R"("id":"other",)")), "/id: the key appears twice");
  std::string inner = sample().dump();
  inner.insert(inner.find("\"major\""), "\"ma\\u006aor\":1,");
  EXPECT_EQ(fault_of(inner), "/spi/major: the key appears twice");
  std::string element = sample().dump();
  element.insert(element.find(R"("mode":"provider_url")"), R"("mode":"native",)");
  EXPECT_EQ(fault_of(element), "/inputs/image/modes/1/mode: the key appears twice");
}

TEST(DescriptorStrictness, BrokenUtf8) {
  for (const char* bytes : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    EXPECT_NE(fault_of(sample_with(std::string("\"publisher\":\"") + bytes + "\",")).find("not valid UTF-8 JSON"),
              std::string::npos);
  }
  EXPECT_NE(fault_of(sample_with(R"("publisher":"\ud800",)")).find("not valid UTF-8 JSON"), std::string::npos);
}

TEST(DescriptorStrictness, SizeLimit) {
  std::string text = sample().dump();
  text.append(65536 - text.size(), ' ');
  EXPECT_TRUE(parse_descriptor(text).descriptor.has_value());
  EXPECT_EQ(fault_of(text + ' '), ": 65537 bytes long, more than the 65536 allowed");
}

TEST(DescriptorStrictness, Depth) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  std::vector<DescriptorFault> faults;
  Json out;
  EXPECT_TRUE(json::parse_strict(nested(json::max_depth), 65536, out, faults));
  EXPECT_FALSE(json::parse_strict(nested(json::max_depth + 1), 65536, out, faults));
  EXPECT_EQ(faults.at(0).text, "nested deeper than 32 levels");
  EXPECT_NE(fault_of(std::string(60000, '[')).find("nested deeper"), std::string::npos);
}

TEST(DescriptorStrictness, TextsNeverHoldWhatTheDocumentHolds) {
  const DescriptorParse result = parse_descriptor(sample_with(R"("oops":"hunter2","id":"hunter2",)"));
  EXPECT_EQ(listing(result.faults).find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace attache::test
