// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

TEST(Inspection, TellsTheVersionAndDeliversNothing) {
  Stage stage;
  const ClaudeInstance driver(stage.config());
  const Recorder sink;
  EXPECT_EQ(driver.table()->inspect(driver.get(), sink.id()), ATTACHE_OK);
  EXPECT_EQ(Json::parse(sink.documents().at(0)), Json::parse(R"({"version":"2.1.332"})"));
  EXPECT_EQ(stage.start()["arguments"], Json::parse(R"(["--version"])"));
  EXPECT_FALSE(stage.recorded("stdin"));
  EXPECT_TRUE(stage.clean());
}

TEST(Inspection, OfAnotherProgramIsAProviderFailure) {
  Stage stage;
  stage.scenario("hangs");
  const ClaudeInstance driver(stage.config());
  const Recorder sink;
  EXPECT_EQ(driver.table()->inspect(driver.get(), sink.id()), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(sink.errors().at(0).reason, "version_unreadable");
}

TEST(Inspection, OfNoProgramIsALaunchFailure) {
  Stage stage;
  const ClaudeInstance driver(stage.config(R"({"executable":"no-such-claude-here"})"));
  const Recorder sink;
  EXPECT_EQ(driver.table()->inspect(driver.get(), sink.id()), ATTACHE_LAUNCH_FAILED);
}

TEST(Inspection, R_E5_ClaimsNoInputsForAVersionThatIsNotKnownToTakeThem) {
  EXPECT_FALSE(Json::parse(claude::inspection_of("2.0.61 (Claude Code)\n")).contains("inputs"));
  const Json old = Json::parse(claude::inspection_of("1.0.117 (Claude Code)\n"));
  EXPECT_EQ(old["version"], "1.0.117");
  for (const char* kind : {"image", "file", "audio", "video"}) EXPECT_TRUE(old["inputs"][kind]["modes"].empty());
  for (const char* odd : {"", "v2", "2.1", "2..1", "Claude 2.1.332"}) {
    EXPECT_THROW(claude::inspection_of(odd), sdk::Failure) << odd;
  }
}

}  // namespace
}  // namespace attache::testing
