// SPDX-License-Identifier: Apache-2.0
// The built driver behind the host API and in front of a CLI that is played: what the real CLI would lose without a
// word is refused before anything is started, or is a typed error afterwards.
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <attache/attache.hpp>
#include <attache/thread.hpp>

#include "media.hpp"

namespace attache::testing {
namespace {

namespace fs = std::filesystem;
using input::Kind;

class CodexHost : public ::testing::Test {
 protected:
  CodexHost() {
    std::string name = (fs::temp_directory_path() / "codex-host-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    root_ = name;
    for (const char* one : {"record", "runs", "home"}) {
      fs::create_directory(root_ / one);
      fs::permissions(root_ / one, fs::perms::owner_all);
    }
    ::setenv("FAKE_CODEX_RECORD", (root_ / "record").c_str(), 1);
    scenario("ok");
  }
  ~CodexHost() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  static void scenario(const std::string& name) { ::setenv("FAKE_CODEX_SCENARIO", name.c_str(), 1); }

  Agent agent(const nlohmann::json& more = nlohmann::json::object(),
              std::shared_ptr<ThreadStore> store = nullptr) const {
    HostOptions host;
    host.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
    AgentOptions options;
    options.run_base = root_ / "runs";
    nlohmann::json config{{"executable", FAKE_CODEX},
                          {"home", (root_ / "home").string()},
                          {"api_key", "key-of-the-test"},
                          {"pass_environment", {"FAKE_CODEX_SCENARIO", "FAKE_CODEX_RECORD"}}};
    config.update(more);
    options.config = config.dump();
    options.thread_store = std::move(store);
    return Agent(Host(host).driver_from_file(CODEX_DRIVER), options);
  }
  fs::path file(const std::string& name, const std::string& bytes) const {
    write_file(root_ / name, bytes);
    return root_ / name;
  }
  input::Input picture() const { return input::from_path(Kind::image, file("a.png", png_that_claims(16, 16))); }
  bool started() const { return fs::exists(root_ / "record/start"); }

  void expect_refused(const input::Input& given, errc code, const std::string& reason) const {
    Agent codex = agent();
    try {
      codex.run("look", with_inputs(given));
      ADD_FAILURE() << "it was sent";
    } catch (const InputError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_EQ(error.reason(), reason);
    }
    EXPECT_FALSE(started());
    EXPECT_TRUE(fs::is_empty(root_ / "runs"));
  }
  void expect_dropped(const std::string& name, const input::Input& given,
                      const nlohmann::json& more = nlohmann::json::object()) const {
    SCOPED_TRACE(name);
    scenario(name);
    Agent codex = agent(more);
    try {
      codex.run("look", with_inputs(given));
      ADD_FAILURE() << "the model never saw it, and the run went well";
    } catch (const RunError& error) {
      EXPECT_EQ(error.code(), errc::input_dropped) << error.what();
      EXPECT_EQ(error.delivery(), Delivery::delivered);
      EXPECT_EQ(std::string(error.what()).find(root_.string()), std::string::npos);
    }
  }
  /// The calls that open a thread, with the thread that each names.
  std::vector<std::string> opened() const {
    std::vector<std::string> out;
    std::ifstream lines(root_ / "record/stdin");
    for (std::string line; std::getline(lines, line);) {
      const auto message = nlohmann::json::parse(line);
      const std::string method = message.value("method", "");
      if (method.rfind("thread/", 0) != 0) continue;
      const std::string whose = message["params"].value("threadId", "");
      out.push_back(method + (whose.empty() ? "" : " " + whose.substr(whose.size() - 4)));
    }
    return out;
  }
  fs::path root_;
};

TEST_F(CodexHost, APictureArrives) {
  const Result result = agent().run("look", with_inputs(picture().fidelity(input::Fidelity::exact)));
  EXPECT_EQ(result.text, "the answer");
  ASSERT_EQ(result.receipts.size(), 1u);
  EXPECT_EQ(result.receipts[0].outcome, Receipt::Outcome::exact);
  EXPECT_TRUE(fs::is_empty(root_ / "runs"));
}

TEST_F(CodexHost, R_E4_EverySentenceInPlaceOfAnImageIsADroppedInput) {
  for (const char* sentence :
       {"Codex could not read the local image at `/x`: No such file or directory (os error 2)",
        "image content omitted because it could not be processed",
        "image content omitted because it exceeded the supported size limit; use a smaller image",
        "image content omitted because detail 'low' is not supported; use 'high', 'original', or 'auto'",
        "image content omitted because you do not support image input", "a sentence of a later version"}) {
    expect_dropped(std::string("sentence:") + sentence, picture());
  }
}

TEST_F(CodexHost, EverySentenceInPlaceOfAudioIsADroppedInput) {
  const std::string wav =
      std::string("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0", 36) +
      std::string("data\0\0\0\0", 8) + std::string(64, '\0');
  const auto sound = input::from_path(Kind::audio, file("a.wav", wav));
  for (const char* sentence :
       {"audio content omitted because you do not support audio input",
        "audio content omitted because its format is not supported; use wav, mp3, m4a, webm, or ogg",
        "audio content omitted because it exceeded the supported size limit; use a smaller audio file",
        "audio content omitted because it could not be processed",
        "Codex cannot attach audio at `/x`: unsupported audio format; use wav, mp3, m4a, webm, or ogg."}) {
    expect_dropped(std::string("sentence:") + sentence, sound, {{"model", "gpt-ear"}});
  }
}

TEST_F(CodexHost, AnItemThatIsGoneIsADroppedInput) {
  expect_dropped("missing", picture());
}

TEST_F(CodexHost, AlteredBytesAreAnErrorWhereTheyHaveToStay) {
  scenario("altered");
  EXPECT_EQ(agent().run("look", with_inputs(picture())).receipts.at(0).outcome, Receipt::Outcome::altered);
  expect_dropped("altered", picture().fidelity(input::Fidelity::exact));
}

TEST_F(CodexHost, ADecompressionBombIsKnownByItsHeader) {
  expect_refused(input::from_path(Kind::image, file("bomb.png", png_that_claims(200'000, 200'000))),
                 errc::input_too_large, "side_limit");
}

TEST_F(CodexHost, AFifoIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((root_ / "pipe.png").c_str(), 0600), 0);
  expect_refused(input::from_path(Kind::image, root_ / "pipe.png"), errc::input_invalid, "not_regular");
}

TEST_F(CodexHost, WhatTheCliSwapsForASentenceIsRefused) {
  expect_refused(input::from_path(Kind::image, file("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
                 errc::input_media_type_unsupported, "media_type_unsupported");
  expect_refused(input::from_path(Kind::image, file("text.png", "%PDF-1.4\n%no picture\n")).media_type("image/png"),
                 errc::input_invalid, "media_type_mismatch");
  expect_refused(input::from_path(Kind::image, file("empty.png", "")), errc::input_invalid, "empty");
}

TEST_F(CodexHost, R_A12_AGifIsNotPromisedAndRefusedWhereItHasToStay) {
  const std::string gif =
      std::string("GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff", 19) + std::string(",\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;", 16);
  const auto still = input::from_path(Kind::image, file("a.gif", gif));
  const Plan plan = agent().plan(with_inputs(still));
  ASSERT_EQ(plan.inputs.size(), 1u);
  EXPECT_TRUE(plan.ok());
  EXPECT_FALSE(plan.inputs[0].exact);
  EXPECT_TRUE(agent().plan(with_inputs(picture())).inputs.at(0).exact);
  expect_refused(still.fidelity(input::Fidelity::exact), errc::input_mode_unsupported, "never_exact");
}

TEST_F(CodexHost, AudioIsOnlyForAModelThatTakesIt) {
  const std::string wav =
      std::string("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0", 36) +
      std::string("data\0\0\0\0", 8) + std::string(64, '\0');
  const auto sound = input::from_path(Kind::audio, file("a.wav", wav));
  Agent deaf = agent();
  EXPECT_THROW(deaf.run("listen", with_inputs(sound)), InputError);
  EXPECT_EQ(read_file(root_ / "record/stdin").find("turn/start"), std::string::npos);
  const Result heard = agent({{"model", "gpt-ear"}}).run("listen", with_inputs(sound));
  EXPECT_EQ(heard.receipts.at(0).outcome, Receipt::Outcome::exact);
}

TEST_F(CodexHost, R_H1_AReferencedFileLivesUntilTheEndOfTheTurn) {
  scenario("reads_late");
  const std::string bytes = bytes_of(300'000, 5);
  std::string json = "[\"";
  for (const char byte : bytes) json += static_cast<char>('a' + (byte & 15));
  json += "\"]";
  const Result result = agent().run(
      "read", with_inputs(input::from_path(Kind::file, file("a.json", json)).media_type("application/json")));
  EXPECT_EQ(result.receipts.at(0).outcome, Receipt::Outcome::unknown) << "nobody shows what was read";
  EXPECT_EQ(digest_of(read_file(root_ / "record/read")), digest_of(json));
  EXPECT_TRUE(fs::is_empty(root_ / "runs"));
}

TEST_F(CodexHost, ATurnWithInputsRunsOnAForkThatCountsOnlyWhenItWentWell) {
  Agent codex = agent(nlohmann::json::object(), memory_thread_store());
  Thread thread = codex.thread("talk");
  thread.run("One.");
  file("record/scenario", "placeholder");
  EXPECT_THROW(thread.run("Two.", with_inputs(picture())), RunError);
  file("record/scenario", "ok");
  thread.run("Three.");
  const Result fourth = thread.run("Four.", with_inputs(picture()));
  EXPECT_EQ(fourth.receipts.at(0).outcome, Receipt::Outcome::exact) << "from the CLI's record of the fork";
  thread.run("Five.");
  EXPECT_EQ(opened(), (std::vector<std::string>{"thread/start", "thread/fork 711f", "thread/resume 711f",
                                                "thread/fork 711f", "thread/resume 7120"}));
}

}  // namespace
}  // namespace attache::testing
