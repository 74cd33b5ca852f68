// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "harness.hpp"

namespace attache::testing {
namespace {

class CodebuddyCommandLine : public CodebuddyTest {
 protected:
  nlohmann::json start_with(const nlohmann::json& more, const std::vector<input::Input>& inputs = {}) const {
    agent(more).run("look", with_inputs(inputs));
    return starts().back();
  }
};

TEST_F(CodebuddyCommandLine, IsTheOneOfTheReadme) {
  const nlohmann::json expected = {"-p",
                                   "--input-format=stream-json",
                                   "--output-format=stream-json",
                                   "--setting-sources=none",
                                   "--strict-mcp-config",
                                   "--model=first",
                                   "--permission-mode=plan",
                                   "--tools",
                                   "Grep",
                                   "--effort=low",
                                   "--system-prompt=-be brief",
                                   "--max-turns=3",
                                   "--include-partial-messages"};
  EXPECT_EQ(start_with({{"model", "first"},
                        {"permission_mode", "plan"},
                        {"tools", {"Grep"}},
                        {"effort", "low"},
                        {"system_prompt", "-be brief"},
                        {"arguments", {"--max-turns=3"}}})["arguments"],
            expected);
}

TEST_F(CodebuddyCommandLine, HasNoToolsAndAsksNobody) {
  const nlohmann::json arguments = start_with({{"partial_messages", false}})["arguments"];
  const nlohmann::json expected = {"-p",
                                   "--input-format=stream-json",
                                   "--output-format=stream-json",
                                   "--setting-sources=none",
                                   "--strict-mcp-config",
                                   "--permission-mode=dontAsk",
                                   "--tools",
                                   ""};
  EXPECT_EQ(arguments, expected);
}

TEST_F(CodebuddyCommandLine, R_J1_GrantsTheDirectoryOfAReferenceAndTheToolThatReadsIt) {
  const std::vector<std::string> arguments = start_with(nlohmann::json::object(), {table()})["arguments"];
  const auto tools = std::find(arguments.begin(), arguments.end(), "--tools");
  ASSERT_NE(tools, arguments.end());
  EXPECT_EQ(*(tools + 1), "Read");
  const std::string text = turns().back()["message"]["content"][1]["text"];
  const std::string path = text.substr(text.find(" /") + 1);
  EXPECT_NE(std::find(arguments.begin(), arguments.end(), "--add-dir=" + path.substr(0, path.rfind('/'))),
            arguments.end());
}

TEST_F(CodebuddyCommandLine, EnvironmentIsBuiltFromNothing) {
  ::setenv("CODEBUDDY_BASE_URL", "https://of-the-host", 1);
  nlohmann::json variables = start_with(nlohmann::json::object())["environment"];
  ::unsetenv("CODEBUDDY_BASE_URL");
  EXPECT_EQ(variables["HOME"], (root_ / "home").string());
  EXPECT_EQ(variables["TMPDIR"].get<std::string>().rfind((root_ / "runs").string(), 0), 0u);
  EXPECT_EQ(variables["CODEBUDDY_API_KEY"], "key-of-the-test");
  for (const char* known :
       {"PATH", "HOME", "TMPDIR", "CODEBUDDY_API_KEY", "CODEBUDDY_CODE_IMAGE_COMPRESSION_MAX_DIMENSION",
        "CODEBUDDY_DISABLE_AUTO_MEMORY", "CODEBUDDY_REMOTE_CONFIG_DISABLED", "CODEBUDDY_SKIP_BUILTIN_MARKETPLACE",
        "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "FAKE_CODEBUDDY_RECORD", "FAKE_CODEBUDDY_SCENARIO"}) {
    EXPECT_EQ(variables.erase(known), 1u) << known;
  }
  EXPECT_TRUE(variables.empty()) << variables;
}

TEST_F(CodebuddyCommandLine, AHermeticDriverHasAHomeThatGoes) {
  const nlohmann::json hermetic{
      {"executable", FAKE_CODEBUDDY}, {"hermetic", true}, {"api_key", "k"}, {"base_url", "http://127.0.0.1:1/v2"}};
  nlohmann::json start = start_with(hermetic);
  EXPECT_EQ(start["environment"]["HOME"], (root_ / "home").string()) << "as configured";
  EXPECT_EQ(start["environment"]["CODEBUDDY_BASE_URL"], "http://127.0.0.1:1/v2");
}

TEST_F(CodebuddyCommandLine, ReservedFlagsAndVariablesAreRefused) {
  for (const char* argument : {"--permission-mode=bypassPermissions", "--dangerously-skip-permissions", "--add-dir=/",
                               "--tools=Bash", "--settings={}", "--resume", "-y", "word", "--", "--=x"}) {
    EXPECT_THROW(agent({{"arguments", {argument}}}), Error) << argument;
  }
  for (const char* variable : {"CODEBUDDY_API_KEY", "HOME", "TMPDIR"}) {
    EXPECT_THROW(agent({{"pass_environment", {variable}}}), Error) << variable;
  }
  EXPECT_NO_THROW(agent({{"arguments", {"--max-turns=3"}}, {"pass_environment", {"HTTPS_PROXY"}}}));
}

TEST_F(CodebuddyCommandLine, AVersionThatWasNotTestedIsTold) {
  const auto told = [&](const char* how) {
    scenario(how);
    const Result result = agent().run("look", with_inputs(picture()));
    return std::any_of(result.notices.begin(), result.notices.end(),
                       [](const auto& one) { return one.slug == "untested_version"; });
  };
  EXPECT_FALSE(told("ok"));
  EXPECT_TRUE(told("new"));
}

TEST_F(CodebuddyCommandLine, R_E5_AnOlderVersionClaimsNoImages) {
  scenario("old");
  Agent codebuddy = agent();
  EXPECT_THROW(codebuddy.run("look", with_inputs(picture())), InputError);
  EXPECT_FALSE(sent());
}

}  // namespace
}  // namespace attache::testing
