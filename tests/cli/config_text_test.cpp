// SPDX-License-Identifier: Apache-2.0
#include "config_text.hpp"

#include <string>

#include <gtest/gtest.h>

#include <attache/error.hpp>

#include "command/command.hpp"

namespace attache::cli {
namespace {

constexpr std::string_view schema = R"({"properties": {"model": {"type": "string"}, "count": {"type": "integer"}}})";

std::string reason_of(std::string_view base, const std::vector<std::string>& settings) {
  try {
    merge_config(base, settings, schema);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::config_invalid);
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    return error.reason();
  }
  return "none";
}

TEST(ConfigText, SchemaDecidesWhatAValueIs) {
  EXPECT_EQ(merge_config("{}", {"model=5", "count=5"}, schema), R"({"model":"5","count":5})");
  EXPECT_EQ(merge_config("{}", {"other=true", "list=[1,2]", "word=plain text", "pair=a=b", "none="}, schema),
            R"({"other":true,"list":[1,2],"word":"plain text","pair":"a=b","none":""})");
  EXPECT_EQ(merge_config("{}", {"x=1"}, "no schema"), R"({"x":1})");
}

TEST(ConfigText, LaterSettingWins) {
  EXPECT_EQ(merge_config(R"({"count":1})", {"count=2", "count=3"}, schema), R"({"count":3})");
}

TEST(ConfigText, FaultsQuoteNoValue) {
  EXPECT_EQ(reason_of("[\"secret\"]", {}), "not_an_object");
  EXPECT_EQ(reason_of("secret", {}), "not_an_object");
  EXPECT_EQ(reason_of("{}", {"secret"}), "bad_setting");
  EXPECT_EQ(reason_of("{}", {"=secret"}), "bad_setting");
}

TEST(ConfigText, FileIsBounded) {
  const attache::test::TemporaryDirectory files;
  EXPECT_EQ(read_config_file(files.write("good", "{}")), "{}");
  EXPECT_EQ(read_config_file(files.write("limit", std::string(1u << 20, ' '))).size(), 1u << 20);
  EXPECT_THROW(read_config_file(files.write("large", std::string((1u << 20) + 1, ' '))), Error);
  EXPECT_THROW(read_config_file(files.path()), Error);
  EXPECT_THROW(read_config_file(files.path() + "/missing"), Error);
}

}  // namespace
}  // namespace attache::cli
