// SPDX-License-Identifier: Apache-2.0
// Driver codex → the real Codex CLI → recorder: the bytes of the inputs in the HTTP request the CLI makes.
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
#include "canary/plain_png.hpp"
#include "recorder/recorder.hpp"

namespace attache::conformance {
namespace {

using nlohmann::ordered_json;

constexpr const char* codex_version = "0.171.0";

std::string text_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

class RealCodex : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string where = text_of("ATTACHE_REAL_PROVIDERS");
    cli_ = std::filesystem::path(where.empty() ? REAL_PROVIDERS : where) / (std::string("codex-") + codex_version) /
           "node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex";
    required_ = text_of("ATTACHE_REQUIRE_REAL") == "1";
    // What is left for the CLI: nothing of the machine's configuration, no credential.
    ::clearenv();
  }

  void SetUp() override {
    if (::access(cli_.c_str(), X_OK) != 0) {
      if (required_) {
        FAIL() << "codex " << codex_version << " is not installed; run scripts/real-providers";
      }
      GTEST_SKIP() << "codex " << codex_version << " is not installed; run scripts/real-providers to have this tested";
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "attache-real-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    for (const char* name : {"home", "codex", "tmp", "work", "inputs"}) {
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
                        {"base_url", recorder.base_url() + "/v1"},
                        {"hermetic", true},
                        {"max_retries", 0},
                        {"home", (folder_ / "home").string()},
                        {"codex_home", (folder_ / "codex").string()},
                        {"model", "gpt-5.5"}};
    config.update(more);
    options.config = config.dump();
    options.thread_store = std::move(store);
    return Agent(Host(host).driver_from_file(CODEX_DRIVER), options);
  }

  std::unique_ptr<Recorder> record(const std::string& scenario) {
    const Dialect dialect = Dialect::load(std::filesystem::path(DIALECTS) / "openai-responses.json");
    return std::make_unique<Recorder>(folder_ / scenario, dialect, scenario);
  }

  Canary canary(input::Kind kind, const std::string& type, std::uint64_t size = 0) {
    return make_canary(kind, type, size, random_, folder_ / "inputs");
  }
  static input::Input as_input(const Canary& canary) {
    return input::from_path(canary.kind, canary.path).media_type(canary.media_type).sha256(canary.sha256);
  }
  static std::vector<input::Input> handed(const std::vector<Canary>& inputs) {
    std::vector<input::Input> out;
    for (const Canary& one : inputs) {
      out.push_back(as_input(one));
    }
    return out;
  }

  /// A copy of the CLI's own catalog with a model that hears and one that only reads.
  std::string catalog() {
    const std::filesystem::path file = folder_ / "catalog.json";
    const std::string command = "HOME='" + (folder_ / "home").string() + "' CODEX_HOME='" +
                                (folder_ / "codex").string() + "' '" + cli_.string() + "' debug models > '" +
                                file.string() + "' 2> /dev/null";
    if (std::system(command.c_str()) != 0) {
      throw std::runtime_error("codex tells no models");
    }
    std::ifstream in(file);
    ordered_json document = ordered_json::parse(in);
    ordered_json ear = document["models"][0], page = ear;
    ear["slug"] = "ear";
    ear["input_modalities"] = {"text", "image", "audio"};
    page["slug"] = "page";
    page["input_modalities"] = {"text"};
    document["models"].push_back(ear);
    document["models"].push_back(page);
    std::ofstream(file) << document.dump();
    return file.string();
  }

  /// The turn of the one request of a healthy run.
  static std::vector<CapturedItem> items_of(const std::vector<Capture>& requests) {
    EXPECT_EQ(requests.size(), 1u);
    if (requests.size() != 1 || requests[0].turns.size() != 1) {
      return {};
    }
    EXPECT_EQ(requests[0].target.substr(0, 18), "POST /v1/responses");
    EXPECT_TRUE(requests[0].faults.empty());
    return requests[0].turns[0].items;
  }

  static void expect_on_wire(const std::vector<Capture>& requests, const std::string& prompt,
                             const std::vector<Canary>& inputs) {
    const auto items = items_of(requests);
    ASSERT_EQ(items.size(), inputs.size() + 1);
    EXPECT_EQ(items[0].text, prompt);
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
  static void expect_receipts(const Result& result, const std::vector<Receipt::Outcome>& expected) {
    std::vector<Receipt::Outcome> outcomes;
    for (const Receipt& receipt : result.receipts) {
      outcomes.push_back(receipt.outcome);
    }
    EXPECT_EQ(outcomes, expected);
  }

  static inline std::filesystem::path cli_;
  static inline bool required_ = false;
  std::filesystem::path folder_;
  Random random_{std::random_device{}()};
};

constexpr Receipt::Outcome exact = Receipt::Outcome::exact;

TEST_F(RealCodex, EveryImageTypeArrivesInOrder) {
  const auto recorder = record("ok");
  const std::vector<Canary> inputs{canary(input::Kind::image, "image/webp"), canary(input::Kind::image, "image/png"),
                                   canary(input::Kind::image, "image/jpeg")};
  Agent codex = agent(*recorder);
  const Result result = codex.run("Describe @/etc/hostname and $skill-creator, /help.", with_inputs(handed(inputs)));
  EXPECT_EQ(result.text, "The recorder has read it.");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  EXPECT_EQ(result.model, "gpt-5.5");
  EXPECT_EQ(result.provider, "codex 0.171.0");
  expect_on_wire(recorder->captures(), "Describe @/etc/hostname and $skill-creator, /help.", inputs);
  expect_receipts(result, {exact, exact, exact});
  EXPECT_EQ(ordered_json::parse(result.usage_json)["input_tokens"], 10);
}

TEST_F(RealCodex, AGifBecomesAPngAndTheReceiptSaysAltered) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const Result result = codex.run("Look.", with_inputs(as_input(canary(input::Kind::image, "image/gif"))));
  const auto items = items_of(recorder->captures());
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].media_type, "image/png");
  ASSERT_EQ(result.receipts.size(), 1u);
  EXPECT_EQ(result.receipts[0].outcome, Receipt::Outcome::altered);
  EXPECT_EQ(result.receipts[0].media_type, "image/png");
  ASSERT_TRUE(result.receipts[0].sha256.has_value());
  EXPECT_EQ(*result.receipts[0].sha256, items[1].sha256);
}

TEST_F(RealCodex, LargeImagesKeepTheirBytes) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const std::vector<Canary> inputs{canary(input::Kind::image, "image/png", 8u << 20u),
                                   canary(input::Kind::image, "image/jpeg", 4u << 20u)};
  const Result result = codex.run("Look.", with_inputs(handed(inputs)));
  expect_on_wire(recorder->captures(), "Look.", inputs);
  expect_receipts(result, {exact, exact});
}

/// At the edges of the descriptor's exact bounds, and one pixel beyond.
TEST_F(RealCodex, TheExactBoundsAreWhereTheDescriptorSays) {
  struct Row {
    std::uint32_t width, height;
    bool kept;
  };
  for (const Row& row : {Row{6000, 32, true}, Row{6001, 32, false}, Row{3200, 3200, true}, Row{3201, 3200, false}}) {
    SCOPED_TRACE(std::to_string(row.width) + "x" + std::to_string(row.height));
    const std::string bytes = plain_png(row.width, row.height);
    const std::filesystem::path file = folder_ / "inputs/edge.png";
    std::ofstream(file, std::ios::binary) << bytes;
    std::filesystem::remove_all(folder_ / "ok");  // what the last one recorded
    const auto recorder = record("ok");
    Agent codex = agent(*recorder);
    const auto edge = input::from_path(input::Kind::image, file);
    EXPECT_EQ(codex.plan(with_inputs(edge)).inputs.at(0).exact, row.kept);
    const Result result = codex.run("Look.", with_inputs(edge));
    const auto items = items_of(recorder->captures());
    ASSERT_EQ(items.size(), 2u);
    EXPECT_EQ(items[1].sha256 == sdk::sha256(bytes), row.kept);
    EXPECT_EQ(items[1].media_type, "image/png");
    ASSERT_EQ(result.receipts.size(), 1u);
    EXPECT_EQ(result.receipts[0].outcome, row.kept ? exact : Receipt::Outcome::altered);
    EXPECT_EQ(result.receipts[0].sha256, items[1].sha256) << "the receipt is of what was sent";
  }
}

TEST_F(RealCodex, AudioArrivesWhereTheModelTakesIt) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder, {{"model_catalog", catalog()}, {"model", "ear"}});
  const std::vector<Canary> inputs{canary(input::Kind::audio, "audio/wav"), canary(input::Kind::audio, "audio/mpeg"),
                                   canary(input::Kind::audio, "audio/mp4"), canary(input::Kind::audio, "audio/webm"),
                                   canary(input::Kind::audio, "audio/ogg")};
  const Result result = codex.run("Listen.", with_inputs(handed(inputs)));
  expect_on_wire(recorder->captures(), "Listen.", inputs);
  expect_receipts(result, {exact, exact, exact, exact, exact});
}

TEST_F(RealCodex, AudioIsRefusedWhereTheModelDoesNotTakeIt) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  EXPECT_THROW(codex.run("Listen.", with_inputs(as_input(canary(input::Kind::audio, "audio/wav")))), InputError);
  EXPECT_EQ(recorder->connections(), 0u);
}

TEST_F(RealCodex, AModelThatOnlyReadsGetsNoImage) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder, {{"model_catalog", catalog()}, {"model", "page"}});
  try {
    codex.run("Look.", with_inputs(as_input(canary(input::Kind::image, "image/png"))));
    FAIL() << "codex would have swapped it for a sentence";
  } catch (const RunError& error) {
    EXPECT_EQ(error.reason(), "model_without_modality");
    EXPECT_EQ(error.delivery(), Delivery::not_delivered);
  }
  EXPECT_EQ(recorder->connections(), 0u);
}

TEST_F(RealCodex, AFileIsNamedAndNeverSent) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const Canary pdf = canary(input::Kind::file, "application/pdf");
  const Result result = codex.run("Read.", with_inputs(as_input(pdf)));
  const auto requests = recorder->captures();
  const auto items = items_of(requests);
  ASSERT_EQ(items.size(), 2u);
  ASSERT_NE(items[1].rule, nullptr) << items[1].shape;
  EXPECT_EQ(items[1].rule->mode, input::Mode::workspace_reference);
  EXPECT_EQ(items[1].media_type, "application/pdf");
  EXPECT_TRUE(find_mark(requests[0].stdin_file, pdf.mark).empty());
  expect_receipts(result, {Receipt::Outcome::unknown});
}

/// The model's command runs in the CLI's sandbox, and opens what the reference names.
TEST_F(RealCodex, R_J1_ACommandInTheReadOnlySandboxReadsTheReferencedFile) {
  const Canary pdf = canary(input::Kind::file, "application/pdf");
  std::string place;
  {
    const auto recorder = record("ok");
    agent(*recorder).run("Read.", with_inputs(as_input(pdf)));
    std::ifstream in(recorder->captures().at(0).stdin_file);
    place = "/input/" + std::to_string(ordered_json::parse(in)["input"].size() - 1) + "/content/1/text";
  }
  std::ifstream in(std::filesystem::path(DIALECTS) / "openai-responses.json");
  ordered_json dialect = ordered_json::parse(in);
  dialect["variables"]["reference"] = {{"pointer", place}, {"default", "none"}};
  const char* const command =
      R"({"cmd":"echo '${reference}' | tr -d ']' | awk '{print $NF}' | xargs sha256sum | cut -c1-64"})";
  const ordered_json call{{"type", "function_call"},
                          {"id", "fc_recorder"},
                          {"call_id", "call_recorder"},
                          {"name", "exec_command"},
                          {"arguments", command}};
  const auto event = [](const char* type, const ordered_json& more) {
    ordered_json data{{"type", type}};
    data.update(more);
    return ordered_json{{"event", type}, {"data", data}};
  };
  const ordered_json usage{{"input_tokens", 1}, {"output_tokens", 1}, {"total_tokens", 2}};
  const ordered_json events{
      event("response.created", {{"response", {{"id", "resp_recorder"}}}}),
      event("response.output_item.done", {{"item", call}}),
      event("response.completed", {{"response", {{"id", "resp_recorder"}, {"output", {call}}, {"usage", usage}}}})};
  dialect["answers"]["reads"] = {{"about", "The model hashes the file that the turn names, again and again"},
                                 {"expect", {{"run", "hangs"}, {"delivery", {"delivered"}}}},
                                 {"turn", {{{"response", {{"status", 200}, {"events", events}}}}}}};
  const std::filesystem::path file = folder_ / "openai-responses.json";
  std::ofstream(file) << dialect.dump();
  Recorder recorder(folder_ / "reads", Dialect::load(file), "reads");
  Agent codex = agent(recorder);
  Stream stream = codex.stream("Read.", with_inputs(as_input(pdf)));
  std::string output;
  for (const Event& one : stream) {
    if (const auto* result = std::get_if<ToolResult>(&one.body)) {
      output = result->text;
      break;
    }
  }
  stream.cancel();
  EXPECT_NE(output.find(sdk::to_hex(pdf.sha256)), std::string::npos) << output;
}

TEST_F(RealCodex, ABrokenImageIsADroppedInput) {
  const auto recorder = record("ok");
  const std::filesystem::path file = folder_ / "inputs/cut.png";
  {
    const Canary whole = canary(input::Kind::image, "image/png", 4096);
    std::filesystem::copy_file(whole.path, file);
    std::filesystem::resize_file(file, 2048);
  }
  Agent codex = agent(*recorder);
  try {
    codex.run("Look.", with_inputs(input::from_path(input::Kind::image, file)));
    FAIL() << "the image was swapped for a sentence";
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::input_dropped) << error.reason();
    EXPECT_EQ(error.delivery(), Delivery::delivered);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), errc::input_invalid) << error.reason();
    EXPECT_EQ(recorder->connections(), 0u);
  }
}

TEST_F(RealCodex, RefusalsNeverLookLikeSuccess) {
  struct Row {
    const char* scenario;
    const char* reason;
  };
  for (const Row& row : {Row{"refuse", "invalid_request"}, Row{"unauthorized", "authentication_failed"},
                         Row{"too_large", "request_too_large"}, Row{"rate_limited", "rate_limited"},
                         Row{"overloaded", "server_error"}, Row{"cut", "stream_cut"}}) {
    SCOPED_TRACE(row.scenario);
    const auto recorder = record(row.scenario);
    Agent codex = agent(*recorder);
    try {
      codex.run("Look.", with_inputs(as_input(canary(input::Kind::image, "image/png"))));
      ADD_FAILURE() << "the provider refused";
    } catch (const RunError& error) {
      EXPECT_EQ(error.reason(), row.reason);
      EXPECT_EQ(error.delivery(), Delivery::delivered);
      EXPECT_EQ(std::string(error.what()).find("127.0.0.1"), std::string::npos);
    }
    EXPECT_EQ(recorder->captures().size(), 1u);
  }
}

TEST_F(RealCodex, StructuredOutputReachesTheRequest) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const char* const schema =
      R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false})";
  try {
    codex.run("Say.", with_output_schema(schema));
  } catch (const RunError& error) {
    EXPECT_EQ(error.delivery(), Delivery::delivered);  // the recorder's answer is no such object
  }
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 1u);
  std::ifstream in(requests[0].stdin_file);
  const ordered_json body = ordered_json::parse(in);
  EXPECT_EQ(body["text"]["format"]["type"], "json_schema");
  EXPECT_EQ(body["text"]["format"]["schema"], ordered_json::parse(schema));
}

TEST_F(RealCodex, TheFakeKeyIsTheOnlyCredentialAndNothingIsKept) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const Canary image = canary(input::Kind::image, "image/png");
  codex.run("Hello.", with_inputs(as_input(image)));
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 1u);
  int credentials = 0;
  for (const CapturedHeader& header : requests[0].headers) {
    credentials += header.value.rfind("sha256:", 0) == 0 ? 1 : 0;
    EXPECT_EQ(header.value.find("sk-attache-test"), std::string::npos);
  }
  EXPECT_EQ(credentials, 1);
  for (const auto& one : std::filesystem::recursive_directory_iterator(folder_ / "codex")) {
    if (one.is_regular_file()) {
      EXPECT_TRUE(find_mark(one.path(), image.mark).empty()) << one.path();
    }
  }
  for (const auto& one : std::filesystem::directory_iterator(folder_ / "tmp")) {
    EXPECT_NE(one.path().filename().string().rfind("attache-codex-", 0), 0u) << "the CLI's own directory is left";
  }
}

TEST_F(RealCodex, AThreadGoesOnAndSendsOnlyItsOwnInputs) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder, ordered_json::object(), memory_thread_store());
  const Canary first = canary(input::Kind::image, "image/png"), second = canary(input::Kind::image, "image/jpeg");
  Thread thread = codex.thread("talk");
  expect_receipts(thread.run("One.", with_inputs(as_input(first))), {exact});
  const Result next = thread.run("Two.", with_inputs(as_input(second)));
  expect_receipts(next, {exact});
  thread.run("Three.");
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 3u);
  expect_on_wire({requests[1]}, "Two.", {second});
  expect_on_wire({requests[2]}, "Three.", {});
  EXPECT_EQ(find_mark(requests[2].stdin_file, first.mark).size(), 1u) << "the CLI sends its own history";
  EXPECT_EQ(find_mark(requests[2].stdin_file, second.mark).size(), 1u);
}

TEST_F(RealCodex, AForkLeavesTheOriginalAsItWas) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder, ordered_json::object(), memory_thread_store());
  Thread thread = codex.thread("talk");
  thread.run("One.");
  thread.fork("aside").run("Aside.");
  thread.run("Two.");
  const auto requests = recorder->captures();
  ASSERT_EQ(requests.size(), 3u);
  const auto holds = [](const Capture& request, const std::string& text) {
    std::ifstream in(request.stdin_file);
    const std::string body(std::istreambuf_iterator<char>(in), {});
    return body.find(text) != std::string::npos;
  };
  EXPECT_TRUE(holds(requests[1], "One.") && holds(requests[1], "Aside."));
  EXPECT_TRUE(holds(requests[2], "One."));
  EXPECT_FALSE(holds(requests[2], "Aside."));
}

TEST_F(RealCodex, AThreadThatIsGoneIsNoNewOne) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder, ordered_json::object(), memory_thread_store());
  Thread thread = codex.thread("talk");
  thread.run("One.");
  std::filesystem::remove_all(folder_ / "codex");
  std::filesystem::create_directory(folder_ / "codex");
  try {
    codex.thread("talk", {.resume_only = true}).run("Two.");
    FAIL() << "a new thread was begun without a word";
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), errc::resume_rejected) << error.reason();
    EXPECT_EQ(error.reason(), "unknown_session");
  }
  EXPECT_EQ(recorder->captures().size(), 1u);
}

TEST_F(RealCodex, InspectTellsVersionAndModels) {
  const auto recorder = record("ok");
  Agent codex = agent(*recorder);
  const ordered_json found = ordered_json::parse(codex.inspect());
  EXPECT_EQ(found["version"], codex_version);
  EXPECT_EQ(found["account"]["type"], "api_key");
  EXPECT_GT(found["models"].size(), 3u);
  EXPECT_EQ(recorder->connections(), 0u);
}

}  // namespace
}  // namespace attache::conformance
