// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

using Json = nlohmann::ordered_json;

class CommandLine : public ::testing::Test {
 protected:
  Json start_with(const std::string& config, const std::string& workspace = {}) {
    TurnRequest request("hi");
    request.raw().workspace = span(workspace);
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config(config)).run(request, host), ATTACHE_OK);
    return stage.start();
  }
  static bool has(const Json& arguments, const std::string& one) {
    return std::find(arguments.begin(), arguments.end(), one) != arguments.end();
  }
  Stage stage;
};

TEST_F(CommandLine, IsTheHermeticOne) {
  const Json expected = {"-p",
                         "--input-format",
                         "stream-json",
                         "--output-format",
                         "stream-json",
                         "--verbose",
                         "--bare",
                         "--tools",
                         "",
                         "--strict-mcp-config",
                         "--setting-sources",
                         "",
                         "--disable-slash-commands",
                         "--permission-mode",
                         "dontAsk",
                         "--system-prompt=-be brief",
                         "--model=some-model",
                         "--replay-user-messages",
                         "--no-session-persistence",
                         "--include-partial-messages"};
  const Json start = start_with(R"({"hermetic":true,"system_prompt":"-be brief","model":"some-model"})");
  EXPECT_EQ(start["arguments"], expected);
}

TEST_F(CommandLine, LeavesOutWhatIsNotAskedFor) {
  const Json arguments = start_with(R"({"partial_messages":false})")["arguments"];
  EXPECT_FALSE(has(arguments, "--bare"));
  EXPECT_FALSE(has(arguments, "--include-partial-messages"));
  EXPECT_EQ(arguments.dump().find("--system-prompt"), std::string::npos);
  EXPECT_EQ(arguments.dump().find("--model"), std::string::npos);
}

TEST_F(CommandLine, EnvironmentIsBuiltFromNothing) {
  setenv("ANTHROPIC_BASE_URL", "https://of-the-host", 1);
  setenv("CLAUDE_CODE_USE_BEDROCK", "1", 1);
  Json variables = start_with("{}")["environment"];
  unsetenv("ANTHROPIC_BASE_URL");
  unsetenv("CLAUDE_CODE_USE_BEDROCK");
  const std::string temporary = variables["TMPDIR"];
  EXPECT_EQ(temporary.find("/tmp/attache-fake-host-"), 0u) << "the run's private directory";
  EXPECT_EQ(variables["HOME"], (stage.root() / "home").string());
  EXPECT_EQ(variables["PATH"], getenv("PATH"));
  EXPECT_EQ(variables["ANTHROPIC_API_KEY"], "key-of-the-test");
  EXPECT_EQ(variables["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"], "1");
  for (const char* known : {"TMPDIR", "HOME", "PATH", "ANTHROPIC_API_KEY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                            "FAKE_CLAUDE_SCENARIO", "FAKE_CLAUDE_RECORD"}) {
    EXPECT_EQ(variables.erase(known), 1u) << known;
  }
  EXPECT_TRUE(variables.empty()) << variables;
}

TEST_F(CommandLine, EnvironmentHasWhatIsConfigured) {
  const Json variables =
      start_with(R"({"api_key":"k2","base_url":"http://127.0.0.1:1","config_dir":"/c","max_retries":0,
                                        "disable_prompt_caching":true})")["environment"];
  EXPECT_EQ(variables["ANTHROPIC_API_KEY"], "k2");
  EXPECT_EQ(variables["ANTHROPIC_BASE_URL"], "http://127.0.0.1:1");
  EXPECT_EQ(variables["CLAUDE_CONFIG_DIR"], "/c");
  EXPECT_EQ(variables["CLAUDE_CODE_MAX_RETRIES"], "0");
  EXPECT_EQ(variables["DISABLE_PROMPT_CACHING"], "1");
}

TEST_F(CommandLine, WorksInTheWorkspaceOrInAPrivateDirectory) {
  EXPECT_EQ(start_with("{}", (stage.root() / "home").string())["directory"], (stage.root() / "home").string());
  const Json start = start_with("{}");
  EXPECT_EQ(start["directory"], start["environment"]["TMPDIR"]);
  EXPECT_TRUE(stage.clean());
}

TEST_F(CommandLine, HermeticNeedsAKey) {
  Json config = Json::parse(stage.config(R"({"hermetic":true})"));
  config.erase("api_key");
  EXPECT_THROW(ClaudeInstance{config.dump()}, std::runtime_error);
  setenv("ANTHROPIC_API_KEY", "key-of-the-environment", 1);
  TurnRequest request("hi");
  const Recorder host;
  EXPECT_EQ(ClaudeInstance(config.dump()).run(request, host), ATTACHE_OK);
  unsetenv("ANTHROPIC_API_KEY");
  EXPECT_EQ(stage.start()["environment"]["ANTHROPIC_API_KEY"], "key-of-the-environment");
}

TEST_F(CommandLine, ConfigThatIsNotOfTheSchemaIsInvalid) {
  for (const char* bad : {"", "[]", R"({"hermetic":"yes"})", R"({"max_retries":-1})"}) {
    EXPECT_THROW(ClaudeInstance{bad}, std::runtime_error) << bad;
  }
}

TEST_F(CommandLine, LaunchFailuresNameNoPathAndDeliverNothing) {
  const std::string text = "not a program";
  const std::string plain = stage.file("plain", text);
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"executable":"no-such-claude-here"})", "executable_not_found"},
      {Json{{"executable", plain}}.dump(), "not_executable"}};
  for (const auto& [config, reason] : cases) {
    TurnRequest request("hi");
    const Recorder host;
    EXPECT_EQ(ClaudeInstance(stage.config(config)).run(request, host), ATTACHE_LAUNCH_FAILED);
    EXPECT_EQ(host.errors().at(0).reason, reason);
    EXPECT_EQ(host.errors().at(0).text.find('/'), std::string::npos);
    EXPECT_EQ(host.deliveries(), std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED});
    EXPECT_TRUE(stage.clean());
  }
}

}  // namespace
}  // namespace attache::testing
