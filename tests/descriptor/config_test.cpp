// SPDX-License-Identifier: Apache-2.0
// The subset of JSON Schema for configurations.
#include <gtest/gtest.h>

#include "descriptor/config_schema.hpp"
#include "sample.hpp"

namespace attache::test {
namespace {

std::vector<DescriptorFault> schema_faults(const std::string& schema) {
  std::vector<DescriptorFault> faults;
  check_schema(Json::parse(schema), "", faults);
  return faults;
}

TEST(ConfigSchema, BadSchemas) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {R"({"pattern":"x"})", "/pattern"},
      {R"({"properties":{"a":{"oneOf":[]}}})", "/properties/a/oneOf"},
      {R"({"items":{"$ref":"#"}})", "/items/$ref"},
      {R"({"type":"text"})", "/type"},
      {R"({"type":["string","null"]})", "/type"},
      {R"({"properties":[]})", "/properties"},
      {R"({"properties":{"a":true}})", "/properties/a"},
      {R"({"required":["b"],"properties":{"a":{}}})", "/required/0"},
      {R"({"required":"a","properties":{"a":{}}})", "/required"},
      {R"({"additionalProperties":{}})", "/additionalProperties"},
      {R"({"enum":[]})", "/enum"},
      {R"({"enum":"x"})", "/enum"},
      {R"({"minimum":"1"})", "/minimum"},
      {R"({"minimum":3,"maximum":2})", "/minimum"},
      {R"({"minLength":-1})", "/minLength"},
      {R"({"minLength":3,"maxLength":2})", "/minLength"},
      {R"({"secret":"yes"})", "/secret"},
      {R"({"volatile":1})", "/volatile"},
      {R"({"title":1})", "/title"},
      {R"({"description":""})", "/description"},
      {R"({"examples":"x"})", "/examples"},
      {R"({"type":"integer","default":"x"})", "/default"},
  };
  for (const auto& [schema, place] : cases) {
    const auto faults = schema_faults(schema);
    EXPECT_TRUE(has_fault(faults, place)) << schema << "\n" << listing(faults);
  }
  EXPECT_TRUE(schema_faults(sample()["config"].dump()).empty());
}

TEST(ConfigSchema, GoodConfigurations) {
  const Descriptor descriptor = parse(sample()).descriptor.value();
  for (const char* config :
       {R"({"key":"k"})",
        R"({"key":"k","executable":"x","model":"","effort":3,"kind":"y","fixed":7,"list":[true,false]})"}) {
    const auto faults = check_config(descriptor, config);
    EXPECT_TRUE(faults.empty()) << listing(faults);
  }
}

TEST(ConfigSchema, BadConfigurationsWithoutTheirValues) {
  const Descriptor descriptor = parse(sample()).descriptor.value();
  const std::vector<std::pair<const char*, const char*>> cases{
      {R"({})", "/key"},
      {R"([])", ""},
      {R"("hunter2")", ""},
      {R"(hunter2)", ""},
      {R"({"key":12345678})", "/key"},
      {R"({"key":"k","other":"hunter2"})", "/other"},
      {R"({"key":"k","executable":""})", "/executable"},
      {R"({"key":"k","effort":12345678})", "/effort"},
      {R"({"key":"k","effort":0})", "/effort"},
      {R"({"key":"k","effort":1.5})", "/effort"},
      {R"({"key":"k","kind":"hunter2"})", "/kind"},
      {R"({"key":"k","fixed":8})", "/fixed"},
      {R"({"key":"k","list":[true,"hunter2"]})", "/list/1"},
      {R"({"key":"k","key":"hunter2"})", "/key"},
  };
  for (const auto& [config, place] : cases) {
    const auto faults = check_config(descriptor, config);
    EXPECT_TRUE(has_fault(faults, place)) << config << "\n" << listing(faults);
    EXPECT_EQ(listing(faults).find("hunter2"), std::string::npos) << listing(faults);
    EXPECT_EQ(listing(faults).find("12345678"), std::string::npos) << listing(faults);
  }
}

TEST(ConfigSchema, LengthsCountCharacters) {
  Json document = sample();
  document["config"]["properties"]["model"]["maxLength"] = 2;
  document["transport"].erase("test_config");  // has a longer one
  const Descriptor descriptor = parse(document).descriptor.value();
  EXPECT_TRUE(check_config(descriptor, R"({"key":"k","model":"éé"})").empty());
  EXPECT_FALSE(check_config(descriptor, R"({"key":"k","model":"ééé"})").empty());
}

TEST(ConfigSchema, SizeLimit) {
  const Descriptor descriptor = parse(sample()).descriptor.value();
  const std::string large = R"({"key":")" + std::string(1024UL * 1024, 'x') + "\"}";
  EXPECT_TRUE(has_fault(check_config(descriptor, large), ""));
}

}  // namespace
}  // namespace attache::test
