// SPDX-License-Identifier: Apache-2.0
// Driver acp → real ACP agents → recorder: the bytes of an image in the HTTP request the agent makes.
#include <cstdlib>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <attache/attache.hpp>
#include <attache/sdk/child_process.hpp>

#include "canary/canary.hpp"
#include "recorder/recorder.hpp"

namespace attache::conformance {
namespace {

using nlohmann::ordered_json;

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

class RealAcp : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string where = text_of("ATTACHE_REAL_PROVIDERS");
    providers_ = where.empty() ? REAL_PROVIDERS : where;
    node_ = sdk::find_executable("node", text_of("PATH"));
    required_ = text_of("ATTACHE_REQUIRE_REAL") == "1";
    // What is left for the agents: nothing of the machine's configuration, no credential.
    ::clearenv();
  }

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "attache-real-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"home", "tmp", "work", "inputs"}) std::filesystem::create_directory(folder_ / name);
    ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
  }

  void TearDown() override {
    std::error_code ignored;
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(folder_, ignored);
  }

  /// Whether it is there; a missing one is a failure where real providers are required.
  static bool installed(const std::filesystem::path& program) {
    const bool there = ::access(program.c_str(), X_OK) == 0 && !node_.empty();
    EXPECT_TRUE(there || !required_) << "an agent is not installed; run scripts/real-providers";
    return there;
  }

  /// Runs a turn with a PNG and looks for it in what the provider got.
  void expect_png_arrives(const char* dialect, const std::function<ordered_json(const std::string& base_url)>& config) {
    const Dialect spoken = Dialect::load(std::filesystem::path(DIALECTS) / (std::string(dialect) + ".json"));
    Recorder recorder(folder_ / "recorded", spoken, "ok");
    HostOptions host;
    host.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
    AgentOptions options;
    options.workspace = folder_ / "work";
    ordered_json all = config(recorder.base_url());
    all["home"] = (folder_ / "home").string();
    options.config = all.dump();
    const Canary png = make_canary(input::Kind::image, "image/png", 0, random_, folder_ / "inputs");
    Agent agent(Host(host).driver_from_file(ACP_DRIVER), options);
    const Result result =
        agent.run("Describe it.", with_inputs(input::from_path(png.kind, png.path).require(input::Mode::native)));
    EXPECT_EQ(result.delivery, Delivery::delivered);
    EXPECT_EQ(result.text, "The recorder has read it.");
    std::size_t found = 0;
    for (const Capture& request : recorder.captures()) {
      for (const CapturedTurn& turn : request.turns) {
        for (const CapturedItem& item : turn.items) {
          const bool same = item.rule != nullptr && item.well_encoded && item.sha256 == png.sha256;
          found += same && item.media_type == "image/png" && item.size == png.size ? 1 : 0;
        }
      }
    }
    EXPECT_EQ(found, 1u);
  }

  static inline std::filesystem::path providers_;
  static inline std::string node_;
  static inline bool required_ = false;
  std::filesystem::path folder_;
  Random random_{std::random_device{}()};
};

TEST_F(RealAcp, APngReachesTheProviderThroughClaudeCodeAcp) {
  const auto script = providers_ / "claude-code-acp-0.16.2/node_modules/@zed-industries/claude-code-acp/dist/index.js";
  if (!installed(script)) GTEST_SKIP() << "claude-code-acp 0.16.2 is not installed; run scripts/real-providers";
  expect_png_arrives("anthropic-messages", [&](const std::string& base_url) {
    return ordered_json{{"executable", node_},
                        {"arguments", {script.string()}},
                        {"search_path", std::filesystem::path(node_).parent_path().string() + ":/usr/bin:/bin"},
                        {"environment",
                         {{"ANTHROPIC_API_KEY", "sk-ant-attache-test"},
                          {"ANTHROPIC_BASE_URL", base_url},
                          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                          {"DISABLE_PROMPT_CACHING", "1"},
                          {"DISABLE_AUTOUPDATER", "1"}}}};
  });
}

TEST_F(RealAcp, APngReachesTheProviderThroughCodexAcp) {
  const auto program = providers_ / "codex-acp-0.16.0/node_modules/@zed-industries/codex-acp-linux-x64/bin/codex-acp";
  if (!installed(program)) GTEST_SKIP() << "codex-acp 0.16.0 is not installed; run scripts/real-providers";
  expect_png_arrives("openai-responses", [&](const std::string& base_url) {
    const std::string provider =
        "model_providers.attache={name=\"attache\",base_url=\"" + base_url +
        "/v1\",wire_api=\"responses\",env_key=\"OPENAI_API_KEY\",requires_openai_auth=false}";
    return ordered_json{{"executable", program.string()},
                        {"arguments", {"-c", "model_provider=\"attache\"", "-c", provider, "-c", "model=\"gpt-5.5\""}},
                        {"search_path", "/usr/bin:/bin"},
                        {"environment", {{"OPENAI_API_KEY", "sk-attache-test"}}}};
  });
}

}  // namespace
}  // namespace attache::conformance
