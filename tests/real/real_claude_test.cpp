// SPDX-License-Identifier: Apache-2.0
// Driver claude → the real Claude Code CLI → recorder: the bytes of the inputs in the HTTP request the CLI makes.
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <attache/attache.hpp>

#include "canary/canary.hpp"
#include "recorder/recorder.hpp"

namespace attache::conformance {
namespace {

constexpr const char* claude_version = "2.1.332";

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

class RealClaude : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string where = text_of("ATTACHE_REAL_PROVIDERS");
    cli_ = std::filesystem::path(where.empty() ? REAL_PROVIDERS : where) / (std::string("claude-") + claude_version) /
           "node_modules/@anthropic-ai/claude-code-linux-x64/claude";
    required_ = text_of("ATTACHE_REQUIRE_REAL") == "1";
    // What is left for the CLI: nothing of the machine's configuration, no credential.
    ::clearenv();
  }

  void SetUp() override {
    if (::access(cli_.c_str(), X_OK) != 0) {
      if (required_) {
        FAIL() << "claude " << claude_version << " is not installed; run scripts/real-providers";
      }
      GTEST_SKIP() << "claude " << claude_version
                   << " is not installed; run scripts/real-providers to have this tested";
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "attache-real-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"home", "config", "tmp", "work", "inputs"}) {
      std::filesystem::create_directory(folder_ / name);
    }
    ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
  }

  void TearDown() override {
    std::error_code ignored;
    ::unsetenv("TMPDIR");
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_, ignored);
    }
  }

  Agent agent(const Recorder& recorder) {
    HostOptions host;
    host.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
    AgentOptions options;
    options.workspace = folder_ / "work";
    options.config =
        nlohmann::ordered_json{{"executable", cli_.string()},         {"api_key", "sk-ant-attache-test"},
                               {"base_url", recorder.base_url()},     {"hermetic", true},
                               {"disable_prompt_caching", true},      {"max_retries", 0},
                               {"home", (folder_ / "home").string()}, {"config_dir", (folder_ / "config").string()},
                               {"model", "claude-opus-5-5"}}
            .dump();
    return Agent(Host(host).driver_from_file(CLAUDE_DRIVER), options);
  }

  std::unique_ptr<Recorder> record(const std::string& scenario) {
    const Dialect dialect = Dialect::load(std::filesystem::path(DIALECTS) / "anthropic-messages.json");
    return std::make_unique<Recorder>(folder_ / scenario, dialect, scenario);
  }

  Canary canary(input::Kind kind, const std::string& type, std::uint64_t size) {
    return make_canary(kind, type, size, random_, folder_ / "inputs");
  }
  static input::Input as_input(const Canary& canary) {
    return input::from_path(canary.kind, canary.path).sha256(canary.sha256);
  }

  /// The one request of a healthy turn: the prompt, then the inputs in order, each as it is.
  static void expect_on_wire(const std::vector<Capture>& requests, const std::string& prompt,
                             const std::vector<Canary>& inputs) {
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].target.substr(0, 17), "POST /v1/messages");
    EXPECT_TRUE(requests[0].faults.empty());
    ASSERT_EQ(requests[0].turns.size(), 1u);
    const auto& items = requests[0].turns[0].items;
    ASSERT_EQ(items.size(), inputs.size() + 1);
    EXPECT_EQ(items[0].text, prompt);
    int documents = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      SCOPED_TRACE(inputs[i].media_type + " of " + std::to_string(inputs[i].size));
      const CapturedItem& item = items[i + 1];
      ASSERT_NE(item.rule, nullptr) << item.shape;
      EXPECT_EQ(item.rule->kind, inputs[i].kind);
      EXPECT_EQ(item.media_type, inputs[i].media_type);
      EXPECT_TRUE(item.well_encoded);
      EXPECT_EQ(item.size, inputs[i].size);
      EXPECT_EQ(item.sha256, inputs[i].sha256);
      if (inputs[i].kind == input::Kind::file) {
        EXPECT_EQ(item.label, "document-" + std::to_string(++documents)) << "the driver gives neutral titles";
      }
    }
  }

  static inline std::filesystem::path cli_;
  static inline bool required_ = false;
  std::filesystem::path folder_;
  Random random_{std::random_device{}()};
};

TEST_F(RealClaude, EveryDeclaredTypeArrivesInOrderWithItsLabel) {
  const auto recorder = record("ok");
  std::vector<Canary> inputs{
      canary(input::Kind::file, "text/plain", 0), canary(input::Kind::image, "image/webp", 0),
      canary(input::Kind::image, "image/png", 0), canary(input::Kind::file, "application/pdf", 0),
      canary(input::Kind::image, "image/gif", 0), canary(input::Kind::image, "image/jpeg", 0),
  };
  std::vector<input::Input> handed;
  for (const Canary& one : inputs) {
    handed.push_back(as_input(one));
  }
  Agent claude = agent(*recorder);
  const Result result = claude.run("Describe @/etc/hostname all of it.", with_inputs(handed));
  EXPECT_EQ(result.text, "The recorder has read it.");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  expect_on_wire(recorder->captures(), "Describe @/etc/hostname all of it.", inputs);
  ASSERT_EQ(result.receipts.size(), inputs.size());
  for (const Receipt& receipt : result.receipts) {
    EXPECT_EQ(receipt.outcome, Receipt::Outcome::exact) << receipt.index;
  }
}

TEST_F(RealClaude, ImagesAtTheExactBoundKeepTheirBytes) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  std::vector<Canary> inputs;
  std::vector<input::Input> handed;
  for (const char* type : {"image/png", "image/jpeg", "image/gif", "image/webp"}) {
    inputs.push_back(canary(input::Kind::image, type, 512000));
    handed.push_back(as_input(inputs.back()));
  }
  const Result result = claude.run("Look.", with_inputs(handed));
  expect_on_wire(recorder->captures(), "Look.", inputs);
  for (const Receipt& receipt : result.receipts) {
    EXPECT_EQ(receipt.outcome, Receipt::Outcome::exact) << receipt.index;
  }
}

TEST_F(RealClaude, LargeDocumentsKeepTheirBytes) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  const std::vector<Canary> inputs{canary(input::Kind::file, "application/pdf", 8u << 20u),
                                   canary(input::Kind::file, "text/plain", 2u << 20u)};
  const Result result = claude.run("Read.", with_inputs(as_input(inputs[0]), as_input(inputs[1])));
  expect_on_wire(recorder->captures(), "Read.", inputs);
  EXPECT_EQ(result.delivery, Delivery::delivered);
}

TEST_F(RealClaude, AnImageBeyondTheBoundIsReencodedAndTheReceiptSaysAltered) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  const Canary image = canary(input::Kind::image, "image/png", 512001);
  const Result result = claude.run("Look.", with_inputs(as_input(image)));
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 1u);
  const CapturedItem& item = requests[0].turns.at(0).items.at(1);
  ASSERT_NE(item.rule, nullptr) << item.shape;
  EXPECT_NE(item.sha256, image.sha256);
  RecordProperty("reencoded_type", item.media_type);
  RecordProperty("reencoded_size", std::to_string(item.size));
  std::printf("512001-byte PNG left the CLI as %s of %llu bytes\n", item.media_type.c_str(),
              static_cast<unsigned long long>(item.size));
  ASSERT_EQ(result.receipts.size(), 1u);
  EXPECT_EQ(result.receipts[0].outcome, Receipt::Outcome::altered);
  EXPECT_EQ(result.receipts[0].size, item.size);
  ASSERT_TRUE(result.receipts[0].sha256.has_value());
  EXPECT_EQ(*result.receipts[0].sha256, item.sha256);
}

TEST_F(RealClaude, WhereExactIsAskedForItNeverStarts) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  const Canary image = canary(input::Kind::image, "image/png", 512001);
  EXPECT_THROW(claude.run("Look.", with_inputs(as_input(image).fidelity(input::Fidelity::exact))), InputError);
  EXPECT_EQ(recorder->connections(), 0u);
}

TEST_F(RealClaude, ASlashCommandAndAnAtSignStayText) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  EXPECT_EQ(claude.run("/help").text, "The recorder has read it.");
  expect_on_wire(recorder->captures(), "/help", {});
}

TEST_F(RealClaude, RefusedMediaNeverLookLikeSuccess) {
  const auto recorder = record("refuse");
  Agent claude = agent(*recorder);
  const Canary image = canary(input::Kind::image, "image/png", 0);
  try {
    claude.run("Look.", with_inputs(as_input(image)));
    FAIL() << "the provider refused the image";
  } catch (const RunError& error) {
    EXPECT_EQ(error.delivery(), Delivery::delivered);
    EXPECT_TRUE(error.code() == errc::provider_refused || error.code() == errc::input_dropped) << error.reason();
  }
  const auto requests = recorder->captures();
  ASSERT_FALSE(requests.empty());
  EXPECT_EQ(requests[0].turns.at(0).items.at(1).sha256, image.sha256);
  std::printf("after a refusal the CLI made %zu requests in all\n", requests.size());
}

TEST_F(RealClaude, TheFakeKeyIsTheOnlyCredentialAndIsNotStored) {
  const auto recorder = record("ok");
  Agent claude = agent(*recorder);
  claude.run("Hello.");
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 1u);
  int credentials = 0;
  for (const CapturedHeader& header : requests[0].headers) {
    credentials += header.value.rfind("sha256:", 0) == 0 ? 1 : 0;
    EXPECT_EQ(header.value.find("sk-ant-attache-test"), std::string::npos);
  }
  EXPECT_EQ(credentials, 1);
}

}  // namespace
}  // namespace attache::conformance
