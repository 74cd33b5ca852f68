// SPDX-License-Identifier: Apache-2.0
// Driver codebuddy → the real CodeBuddy CLI → recorder: the bytes of the inputs in the HTTP request the CLI makes.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <attache/attache.hpp>
#include <attache/sdk/sha256.hpp>
#include <attache/thread.hpp>

#include "canary/canary.hpp"
#include "plain_png.hpp"
#include "recorder/recorder.hpp"

namespace attache::conformance {
namespace {

using nlohmann::ordered_json;

constexpr const char* codebuddy_package = "0.3.201";  // of the SDK that brings CLI 2.117.0

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

class RealCodebuddy : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string where = text_of("ATTACHE_REAL_PROVIDERS");
    cli_ = std::filesystem::path(where.empty() ? REAL_PROVIDERS : where) /
           (std::string("codebuddy-") + codebuddy_package) / "node_modules/@tencent-ai/agent-sdk/cli/bin/codebuddy";
    required_ = text_of("ATTACHE_REQUIRE_REAL") == "1";
    const std::string path = text_of("PATH");  // the CLI is a script of Node
    // What is left for the CLI: nothing of the machine's configuration, no credential.
    ::clearenv();
    ::setenv("PATH", path.c_str(), 1);
  }

  void SetUp() override {
    if (::access(cli_.c_str(), X_OK) != 0) {
      if (required_) {
        FAIL() << "codebuddy is not installed; run scripts/real-providers";
      }
      GTEST_SKIP() << "codebuddy is not installed; run scripts/real-providers to have this tested";
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "attache-real-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"home", "tmp", "work", "inputs"}) {
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

  Agent agent(const Recorder& recorder, const ordered_json& more = ordered_json::object(),
              std::shared_ptr<ThreadStore> store = nullptr) {
    HostOptions host;
    host.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
    AgentOptions options;
    options.workspace = folder_ / "work";
    ordered_json config{{"executable", cli_.string()},
                        {"api_key", "sk-attache-test"},
                        {"base_url", recorder.base_url() + "/v2"},
                        {"hermetic", true},
                        {"system_prompt", "Be brief."},
                        {"home", (folder_ / "home").string()}};
    config.update(more);
    options.config = config.dump();
    options.thread_store = std::move(store);
    return Agent(Host(host).driver_from_file(CODEBUDDY_DRIVER), options);
  }

  std::unique_ptr<Recorder> record(const std::string& scenario) {
    const Dialect dialect = Dialect::load(std::filesystem::path(DIALECTS) / "openai-chat.json");
    return std::make_unique<Recorder>(folder_ / scenario, dialect, scenario);
  }

  Canary canary(input::Kind kind, const std::string& type, std::uint64_t size = 0) {
    return make_canary(kind, type, size, random_, folder_ / "inputs");
  }
  static input::Input as_input(const Canary& canary) {
    return input::from_path(canary.kind, canary.path).media_type(canary.media_type).sha256(canary.sha256);
  }

  /// The last turn of the last request, without the context that the CLI puts in front.
  static std::vector<CapturedItem> callers_items(const std::vector<Capture>& requests) {
    EXPECT_FALSE(requests.empty());
    if (requests.empty() || requests.back().turns.size() != 1) {
      return {};
    }
    EXPECT_EQ(requests.back().target.substr(0, 25), "POST /v2/chat/completions");
    EXPECT_TRUE(requests.back().faults.empty());
    std::vector<CapturedItem> out;
    for (const CapturedItem& item : requests.back().turns[0].items) {
      if (item.rule != nullptr || item.text.rfind("<system-reminder", 0) != 0) {
        out.push_back(item);
      }
    }
    return out;
  }

  static void expect_on_wire(const std::vector<Capture>& requests, const std::string& prompt,
                             const std::vector<Canary>& inputs) {
    EXPECT_EQ(requests.size(), 1u);
    const auto items = callers_items(requests);
    ASSERT_EQ(items.size(), inputs.size() + 1);
    EXPECT_EQ(items[0].text, "<user_query>" + prompt + "</user_query>");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      SCOPED_TRACE(inputs[i].media_type + " of " + std::to_string(inputs[i].size));
      const CapturedItem& item = items[i + 1];
      ASSERT_NE(item.rule, nullptr) << item.shape;
      EXPECT_EQ(item.rule->kind, inputs[i].kind);
      EXPECT_EQ(item.media_type, inputs[i].media_type);
      EXPECT_TRUE(item.well_encoded);
      EXPECT_EQ(item.size, inputs[i].size);
      EXPECT_EQ(item.sha256, inputs[i].sha256);
    }
  }

  static inline std::filesystem::path cli_;
  static inline bool required_ = false;
  std::filesystem::path folder_;
  Random random_{std::random_device{}()};
};

TEST_F(RealCodebuddy, EveryDeclaredNativeTypeArrivesInOrderWithItsLabel) {
  const auto recorder = record("ok");
  const std::vector<Canary> inputs{
      canary(input::Kind::file, "text/plain"),      canary(input::Kind::image, "image/webp"),
      canary(input::Kind::image, "image/png"),      canary(input::Kind::file, "application/pdf"),
      canary(input::Kind::image, "image/gif"),      canary(input::Kind::image, "image/jpeg"),
  };
  std::vector<input::Input> handed;
  for (const Canary& one : inputs) {
    handed.push_back(as_input(one));
  }
  Agent codebuddy = agent(*recorder);
  const Result result = codebuddy.run("Describe all of it.", with_inputs(handed));
  EXPECT_EQ(result.text, "The recorder has read it.");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  expect_on_wire(recorder->captures(), "Describe all of it.", inputs);
  ASSERT_EQ(result.receipts.size(), inputs.size());
  for (const Receipt& receipt : result.receipts) {
    EXPECT_EQ(receipt.outcome, Receipt::Outcome::unknown) << receipt.index;
  }
  EXPECT_TRUE(std::none_of(result.notices.begin(), result.notices.end(),
                           [](const Notice& one) { return one.slug == "untested_version"; }));
}

TEST_F(RealCodebuddy, ALargeImageKeepsItsBytes) {
  const auto recorder = record("ok");
  const Canary image = canary(input::Kind::image, "image/png", 7'600'000);
  agent(*recorder).run("Look.", with_inputs(as_input(image)));
  expect_on_wire(recorder->captures(), "Look.", {image});
}

TEST_F(RealCodebuddy, AnImageAtTheLongestSideIsNotReencoded) {
  const auto recorder = record("ok");
  const std::filesystem::path file = folder_ / "inputs/wide.png";
  const std::string bytes = plain_png(6000, 2001);
  std::ofstream(file, std::ios::binary) << bytes;
  agent(*recorder).run("Look.", with_inputs(input::from_path(input::Kind::image, file)));
  const auto items = callers_items(recorder->captures());
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].sha256, sdk::sha256(bytes));
}

TEST_F(RealCodebuddy, AReferenceIsATextOfItsOwn) {
  const auto recorder = record("ok");
  const Canary table = canary(input::Kind::file, "text/csv");
  agent(*recorder).run("Read.", with_inputs(as_input(table)));
  const auto items = callers_items(recorder->captures());
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].text, "<user_query>Read.</user_query>");
  EXPECT_EQ(items[1].text.rfind("<user_query>[attache input 1: file text/csv /", 0), 0u) << items[1].text;
}

TEST_F(RealCodebuddy, AModelWithoutImagesIsFoundBeforeAnythingIsSent) {
  const auto recorder = record("ok");
  Agent codebuddy = agent(*recorder, {{"model", "glm-5.0"}});
  EXPECT_THROW(codebuddy.run("Look.", with_inputs(as_input(canary(input::Kind::image, "image/png")))), InputError);
  EXPECT_TRUE(recorder->captures().empty());
}

TEST_F(RealCodebuddy, APathLikeACommandStaysText) {
  const auto recorder = record("ok");
  agent(*recorder).run("/usr/bin and @nobody stay text");
  expect_on_wire(recorder->captures(), "/usr/bin and @nobody stay text", {});
}

TEST_F(RealCodebuddy, ARefusalOfTheProviderIsAnError) {
  for (const auto& [scenario, code] : {std::pair{"refuse", errc::provider_refused},
                                       std::pair{"server_error", errc::provider_failed}}) {
    SCOPED_TRACE(scenario);
    const auto recorder = record(scenario);
    Agent codebuddy = agent(*recorder);
    try {
      codebuddy.run("Look.", with_inputs(as_input(canary(input::Kind::image, "image/png"))));
      ADD_FAILURE() << "it went well";
    } catch (const RunError& error) {
      EXPECT_EQ(error.code(), code) << error.reason();
      EXPECT_EQ(error.delivery(), Delivery::delivered);
    }
  }
}

TEST_F(RealCodebuddy, AThreadGoesOnAndItsTurnWithInputsRunsOnAFork) {
  const auto recorder = record("ok");
  Agent codebuddy = agent(*recorder, ordered_json::object(), memory_thread_store());
  Thread thread = codebuddy.thread("talk");
  thread.run("One.");
  const Canary image = canary(input::Kind::image, "image/png");
  thread.run("Two.", with_inputs(as_input(image)));
  const auto items = callers_items(recorder->captures());
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].sha256, image.sha256);
}

TEST_F(RealCodebuddy, AHermeticOneLeavesNothing) {
  const auto recorder = record("ok");
  const Canary image = canary(input::Kind::image, "image/png");
  HostOptions host;
  host.allow_writable_by_others = true;
  AgentOptions options;
  options.run_base = folder_ / "runs";
  std::filesystem::create_directory(folder_ / "runs");
  std::filesystem::permissions(folder_ / "runs", std::filesystem::perms::owner_all);
  options.config = ordered_json{{"executable", cli_.string()},
                                {"api_key", "sk-attache-test"},
                                {"base_url", recorder->base_url() + "/v2"},
                                {"hermetic", true}}
                       .dump();
  Agent codebuddy(Host(host).driver_from_file(CODEBUDDY_DRIVER), options);
  codebuddy.run("Look.", with_inputs(as_input(image)));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "runs"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "home"));
  EXPECT_EQ(callers_items(recorder->captures()).back().sha256, image.sha256);
}

TEST_F(RealCodebuddy, AnUnknownSessionIsToldByTheCli) {
  const auto recorder = record("ok");
  auto store = memory_thread_store();
  agent(*recorder, ordered_json::object(), store).thread("talk").run("One.");
  std::filesystem::remove_all(folder_ / "home");
  std::filesystem::create_directory(folder_ / "home");
  Agent codebuddy = agent(*recorder, ordered_json::object(), store);
  try {
    codebuddy.thread("talk").run("Two.");
    ADD_FAILURE() << "it went well";
  } catch (const RunError& error) {
    EXPECT_EQ(error.reason(), "unknown_session");
  }
}

}  // namespace
}  // namespace attache::conformance
