// SPDX-License-Identifier: Apache-2.0
// The schema file for editors and the reference page name exactly the keys that the parser takes.
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sample.hpp"

namespace attache::test {
namespace {

std::string read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

const Json& resolved(const Json& root, const Json& schema) {
  if (!schema.contains("$ref")) return schema;
  return resolved(root, root.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
}

/// Every key the schema allows, as pointers; "0" stands for an array's elements.
void keys_of_schema(const Json& root, const Json& reference, const std::string& at, std::set<std::string>& out) {
  if (at == "/config" || at == "/transport/test_config") return;
  const Json& schema = resolved(root, reference);
  if (schema.contains("oneOf")) {
    for (const Json& choice : schema["oneOf"]) keys_of_schema(root, choice, at, out);
  }
  if (schema.contains("items")) keys_of_schema(root, schema["items"], at + "/0", out);
  if (!schema.contains("properties")) return;
  for (const auto& item : schema["properties"].items()) {
    out.insert(at + "/" + item.key());
    keys_of_schema(root, item.value(), at + "/" + item.key(), out);
  }
}

std::string pointer_with_zeros(const std::string& pointer) {
  std::string out = pointer;
  for (std::size_t at = 0; (at = out.find("/modes/", at)) != std::string::npos; at += 7) out[at + 7] = '0';
  return out;
}

/// A key that the parser does not take at this place is an unknown key; one it takes is judged by its value.
bool parser_takes(const std::string& pointer) {
  Json document = sample();
  for (const char* kind : {"image", "file", "audio", "video"}) {
    document["inputs"][kind]["modes"][0]["mode"] = "native";
    document["inputs"][kind]["modes"][0]["exact"] = Json::object();
  }
  const Json::json_pointer place(pointer);
  document[place] = nullptr;
  const DescriptorParse result = parse(document);
  for (const DescriptorFault& fault : result.faults) {
    if (fault.pointer == pointer && fault.text == "unknown key") return false;
  }
  return true;
}

TEST(DescriptorSchemaFile, NamesOnlyKeysTheParserTakes) {
  const Json root = Json::parse(read(ATTACHE_DESCRIPTOR_SCHEMA_FILE));
  std::set<std::string> keys;
  keys_of_schema(root, root, "", keys);
  EXPECT_GT(keys.size(), 60U);
  for (const std::string& key : keys) EXPECT_TRUE(parser_takes(key)) << key;
  EXPECT_FALSE(parser_takes("/inputs/image/modes/0/nothing"));
}

TEST(DescriptorSchemaFile, NamesEveryKeyOfTheFullSample) {
  const Json root = Json::parse(read(ATTACHE_DESCRIPTOR_SCHEMA_FILE));
  std::set<std::string> keys;
  keys_of_schema(root, root, "", keys);
  Json document = sample();
  document["config"] = Json();
  document["transport"]["test_config"] = Json();
  const Json flat = document.flatten();
  for (const auto& item : flat.items()) {
    if (item.key().find("media_types") != std::string::npos || item.key().find("url_schemes") != std::string::npos ||
        item.key().find("environment") != std::string::npos) {
      continue;  // elements of a list of words
    }
    EXPECT_TRUE(keys.count(pointer_with_zeros(item.key())) == 1) << item.key();
  }
}

TEST(DescriptorPage, NamesEveryKeyAndItsExampleIsGood) {
  const std::string page = read(ATTACHE_DESCRIPTOR_PAGE);
  const Json root = Json::parse(read(ATTACHE_DESCRIPTOR_SCHEMA_FILE));
  std::set<std::string> keys;
  keys_of_schema(root, root, "", keys);
  for (const auto& item : root["$defs"]["config_value"]["properties"].items()) keys.insert("/" + item.key());
  for (const std::string& key : keys) {
    const std::string word = fmt::format("`{}`", key.substr(key.rfind('/') + 1));
    EXPECT_NE(page.find(word), std::string::npos) << word;
  }
  const auto begin = page.find("```json\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string example = page.substr(begin + 8, page.find("```", begin + 8) - begin - 8);
  const DescriptorParse result = parse_descriptor(example);
  EXPECT_TRUE(result.descriptor.has_value()) << listing(result.faults);
}

}  // namespace
}  // namespace attache::test
