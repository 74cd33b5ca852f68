// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class CodexInspection : public ::testing::Test {
 protected:
  Json inspect(const std::string& more = R"({"api_key": null})") {
    Json config = Json::parse(stage.config());
    const Json changes = Json::parse(more);
    for (const auto& [key, value] : changes.items()) {
      config.erase(key);
      if (!value.is_null()) config[key] = value;
    }
    const CodexInstance instance(config.dump());
    const Recorder sink;
    EXPECT_EQ(instance.table()->inspect(instance.get(), sink.id()), ATTACHE_OK);
    EXPECT_TRUE(stage.clean());
    return Json::parse(sink.documents().at(0));
  }
  Stage stage;
};

TEST_F(CodexInspection, TellsVersionAccountQuotaAndModels) {
  const Json found = inspect();
  EXPECT_EQ(found["version"], "0.171.0");
  EXPECT_EQ(found["account"], Json({{"type", "chatgpt"}, {"plan", "pro"}})) << "and nobody's address";
  EXPECT_EQ(found["quota"]["primary"]["usedPercent"], 12);
  ASSERT_EQ(found["models"].size(), 3u) << "both pages";
  EXPECT_EQ(found["models"][2]["inputs"], Json({"text", "image", "audio"}));
  EXPECT_FALSE(found["inputs"]["image"]["modes"].empty());
  EXPECT_TRUE(found["inputs"]["audio"]["modes"].empty());
  EXPECT_TRUE(stage.sent("turn/start").is_null());
}

TEST_F(CodexInspection, TheConfiguredModelDecides) {
  EXPECT_FALSE(inspect(R"({"model": "gpt-ear"})")["inputs"]["audio"]["modes"].empty());
  EXPECT_TRUE(inspect(R"({"model": "gpt-blind"})")["inputs"]["image"]["modes"].empty());
}

TEST_F(CodexInspection, AModelNobodyKnowsHasTheOlderLimits) {
  const Json found = inspect(R"({"model": "who-knows"})")["inputs"];
  EXPECT_EQ(found["image"]["modes"][0]["exact"]["max_side_px"], 2048);
  EXPECT_TRUE(found["audio"]["modes"].empty());
}

TEST_F(CodexInspection, AnOlderWireThanWasMeasuredClaimsNoMedia) {
  stage.scenario("old");
  const Json found = inspect()["inputs"];
  EXPECT_TRUE(found["image"]["modes"].empty());
}

TEST_F(CodexInspection, ACliThatEndsIsAFailure) {
  stage.scenario("exits_at_once");
  const CodexInstance instance(stage.config());
  const Recorder sink;
  EXPECT_EQ(instance.table()->inspect(instance.get(), sink.id()), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(sink.errors().at(0).reason, "ended_early");
}

}  // namespace
}  // namespace attache::testing
