// SPDX-License-Identifier: Apache-2.0
// Arguments, environment and directory of the CLI, and configurations that are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

#include "config.hpp"
#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::Contains;
using ::testing::Not;

class CodexCommandLine : public ::testing::Test {
 protected:
  Json start(const std::string& more = "{}") {
    TurnRequest request("hi");
    EXPECT_EQ(CodexInstance(stage.config(more)).run(request, host), ATTACHE_OK);
    return stage.start();
  }
  Stage stage;
  Recorder host;
};

TEST_F(CodexCommandLine, SwitchesOffWhatLooksOutside) {
  const auto arguments = start()["arguments"].get<std::vector<std::string>>();
  EXPECT_EQ(arguments.front(), "app-server");
  for (const char* one : {"features.plugins=false", "features.unbounded_connection_retries=false",
                          "analytics.enabled=false", "features.safe_image_decoder=false"}) {
    EXPECT_THAT(arguments, Contains(one));
  }
  EXPECT_THAT(arguments, Not(Contains("skills.bundled.enabled=false")));
}

TEST_F(CodexCommandLine, TheKeyIsInTheEnvironmentAndInNoArgument) {
  const Json seen = start(R"({"base_url": "http://127.0.0.1:1/v1", "max_retries": 2})");
  EXPECT_EQ(seen["environment"]["OPENAI_API_KEY"], "key-of-the-test");
  EXPECT_EQ(seen["arguments"].dump().find("key-of-the-test"), std::string::npos);
  EXPECT_THAT(seen["arguments"].get<std::vector<std::string>>(),
              Contains("model_providers.attache={name=\"attache\",base_url=\"http://127.0.0.1:1/v1\",wire_api="
                       "\"responses\",env_key=\"OPENAI_API_KEY\",requires_openai_auth=false,request_max_retries=2,"
                       "stream_max_retries=2}"));
}

TEST_F(CodexCommandLine, TheEnvironmentIsMadeFromNothing) {
  setenv("A_SECRET_OF_THE_HOST", "x", 1);
  const Json seen = start();
  unsetenv("A_SECRET_OF_THE_HOST");
  EXPECT_FALSE(seen["environment"].contains("A_SECRET_OF_THE_HOST"));
  EXPECT_NE(seen["environment"]["TMPDIR"], (stage.root() / "tmp").string());
  EXPECT_FALSE(seen["environment"].contains("CODEX_HOME"));
  EXPECT_EQ(seen["directory"], seen["environment"]["TMPDIR"]) << "no workspace: nothing of the host's directory";
  EXPECT_TRUE(stage.clean());
}

TEST_F(CodexCommandLine, HermeticHasAHomeThatGoes) {
  const Json seen = start(R"({"hermetic": true})");
  EXPECT_EQ(seen["environment"]["CODEX_HOME"], seen["environment"]["TMPDIR"]);
  EXPECT_THAT(seen["arguments"].get<std::vector<std::string>>(), Contains("skills.bundled.enabled=false"));
  EXPECT_EQ(seen["environment"]["CODEX_HOME"], host.directory()) << "the run's, which the host removes";
}

TEST_F(CodexCommandLine, WhatTheThreadIsToldOfTheConfiguration) {
  start(R"({"model": "gpt-fake", "sandbox": "workspace-write", "system_prompt": "Be brief."})");
  const Json params = stage.sent("thread/start")["params"];
  EXPECT_EQ(params["model"], "gpt-fake");
  EXPECT_EQ(params["sandbox"], "workspace-write");
  EXPECT_EQ(params["developerInstructions"], "Be brief.");
  EXPECT_EQ(params["approvalPolicy"], "never");
  EXPECT_EQ(params["ephemeral"], true);
  EXPECT_EQ(params["experimentalRawEvents"], true);
}

std::string refusal(const std::string& config) {
  try {
    codex::read_config(config);
  } catch (const sdk::Failure& failure) {
    return failure.reason();
  }
  return {};
}

TEST(CodexConfig, RefusesWhatItCannotHold) {
  unsetenv("OPENAI_API_KEY");
  EXPECT_EQ(refusal("{}"), "");
  EXPECT_EQ(refusal(R"({"hermetic": true})"), "api_key_required");
  EXPECT_EQ(refusal(R"({"base_url": "http://x"})"), "api_key_required");
  EXPECT_EQ(refusal(R"({"max_retries": 1})"), "retries_need_api_key");
  EXPECT_EQ(refusal(R"({"max_retries": -1, "api_key": "k"})"), "config_invalid");
  EXPECT_EQ(refusal(R"({"overrides": ["nothing"]})"), "config_invalid");
  for (const char* key : {"sandbox_mode", "model_provider", "features.plugins", " \\\"features\\\" .x", "model"}) {
    EXPECT_EQ(refusal(std::string(R"({"overrides": [")") + key + R"(=1"]})"), "override_reserved") << key;
  }
  EXPECT_EQ(refusal(R"({"overrides": ["\"fea\\u0074ures\".plugins=true"]})"), "config_invalid");
  EXPECT_EQ(refusal(R"({"overrides": ["tools.web_search=true"]})"), "");
}

}  // namespace
}  // namespace attache::testing
