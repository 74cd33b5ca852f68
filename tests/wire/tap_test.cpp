// SPDX-License-Identifier: Apache-2.0
// The tap as a process: what it records and how it answers.
#include <algorithm>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;

const std::string replay = "--replay-user-messages";
const std::string hello = claude_frame(R"({"type":"text","text":"hello"})");

class Tap : public testing::Test {
 protected:
  TapHome install(const std::string& scenario) { return TapHome::install(folder_ / scenario, dialect_, scenario); }
  static std::vector<Json> frames(const std::string& out) {
    std::vector<Json> list;
    for (std::size_t at = 0; at < out.size();) {
      const std::size_t end = std::min(out.find('\n', at), out.size());
      list.push_back(Json::parse(out.substr(at, end - at)));
      at = end + 1;
    }
    return list;
  }
  TempFolder folder_;
  Dialect dialect_ = shipped_dialect("claude-stream-json");
};

TEST_F(Tap, RecordsArgumentsEnvironmentNamesFolderInputAndEnd) {
  const TapHome home = install("ok");
  const Ran ran = run_program(home.executable(), {"-p", replay, "--model", "m-1", ""}, hello, folder_.path().string());
  EXPECT_EQ(ran.code, 0);
  const std::vector<Capture> captures = home.captures();
  ASSERT_EQ(captures.size(), 1u);
  const Capture& seen = captures[0];
  EXPECT_EQ(std::vector<std::string>(seen.argv.begin() + 1, seen.argv.end()),
            (std::vector<std::string>{"-p", replay, "--model", "m-1", ""}));
  EXPECT_EQ(seen.environment_names, (std::vector<std::string>{"PATH", "MARKER"}));
  EXPECT_EQ(std::filesystem::canonical(seen.working_directory), std::filesystem::canonical(folder_.path()));
  EXPECT_EQ(read_file(seen.stdin_file), hello);
  EXPECT_EQ(seen.stdin_bytes, hello.size());
  EXPECT_TRUE(seen.stdin_closed);
  EXPECT_TRUE(seen.finished);
  EXPECT_EQ(seen.turns.at(0).items.at(0).text, "hello");
  const auto answer = frames(ran.out);
  ASSERT_EQ(answer.size(), 4u);
  EXPECT_EQ(answer[0]["model"], "m-1");
  EXPECT_EQ(answer[1]["message"]["content"][0]["text"], "hello");
  EXPECT_EQ(answer[3]["result"], dialect_.scenario("ok")->expect.text);
  EXPECT_EQ(read_file(seen.stdin_file.parent_path() / "start.json").find("/usr/bin:/bin"), std::string::npos)
      << "values of the environment are not recorded";
}

TEST_F(Tap, AProbeIsAnsweredAndCounted) {
  const TapHome home = install("hang");
  EXPECT_EQ(run_program(home.executable(), {"--version"}, "").out, "2.1.332 (Claude Code)\n");
  EXPECT_EQ(home.starts(), 1u);
  EXPECT_TRUE(home.captures().at(0).turns.empty());
}

TEST_F(Tap, AnEightMebibyteLineComesBackWhole) {
  const TapHome home = install("ok");
  const std::string bytes = Random(8).bytes(6u << 20u);
  const std::string line =
      claude_frame(std::string(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":")") +
                   sdk::base64_encode(bytes) + "\"}}");
  ASSERT_GT(line.size(), 8u << 20u);
  const Ran ran = run_program(home.executable(), {replay}, line);
  sdk::JsonLines lines;
  std::vector<sdk::LongString> echoed;
  lines.feed(ran.out, [&](sdk::Frame& frame) {
    echoed.insert(echoed.end(), frame.long_strings.begin(), frame.long_strings.end());
    return true;
  });
  ASSERT_EQ(echoed.size(), 1u);
  EXPECT_EQ(echoed[0].decoded_sha256, sdk::sha256(bytes));
  const CapturedItem item = home.captures().at(0).turns.at(0).items.at(0);
  EXPECT_EQ(item.sha256, sdk::sha256(bytes));
  EXPECT_EQ(item.size, bytes.size());
}

TEST_F(Tap, ManyAtOnceHaveARecordEach) {
  const TapHome home = install("ok");
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&home, number] {
      run_program(home.executable(), {},
                  claude_frame(std::string(R"({"type":"text","text":"run )") + std::to_string(number) + "\"}"));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::vector<std::string> texts;
  for (const Capture& capture : home.captures()) {
    texts.push_back(capture.turns.at(0).items.at(0).text);
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<std::string>{"run 0", "run 1", "run 2", "run 3", "run 4", "run 5", "run 6", "run 7"}));
}

TEST_F(Tap, FilesOfArgumentsAndTextsAreOpenedWhileItRuns) {
  const TapHome home = install("ok");
  write_file(folder_ / "named.bin", "in an argument");
  write_file(folder_ / "told.bin", "in a text");
  const std::string jpeg_like =
      R"({"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkZJRg=="}})";
  run_program(home.executable(), {std::string("--add=") + (folder_ / "named.bin").string()},
              claude_frame(std::string(R"({"type":"text","text":"look at )") + (folder_ / "told.bin").string() +
                           " and " + (folder_ / "gone.bin").string() + "\"}," + jpeg_like));
  const auto files = home.captures().at(0).files;
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].found_in, "argv");
  EXPECT_EQ(files[0].sha256, sdk::sha256("in an argument"));
  EXPECT_EQ(files[1].found_in, "text");
  EXPECT_EQ(files[1].sha256, sdk::sha256("in a text"));
  EXPECT_FALSE(files[2].readable);
}

TEST_F(Tap, TheEndsOfTheScriptsAreAsTold) {
  EXPECT_EQ(run_program(install("refuse").executable(), {}, hello).code, 1);
  EXPECT_EQ(run_program(install("crash").executable(), {}, hello).signal, SIGSEGV);
  EXPECT_EQ(run_program(install("crash_at_start").executable(), {}, hello).signal, SIGABRT);
  const Ran cut = run_program(install("cut").executable(), {}, hello);
  EXPECT_EQ(cut.code, 0);
  EXPECT_NE(cut.out.back(), '\n');
  EXPECT_EQ(frames(run_program(install("no_result").executable(), {}, hello).out).back()["type"], "assistant");
  EXPECT_EQ(run_program(install("flood").executable(), {}, hello).out.size() >> 20u, 64u);
  EXPECT_EQ(run_program(install("flood_stderr").executable(), {}, hello).err.size() >> 20u, 16u);
  EXPECT_EQ(run_program(install("close_stdin").executable(), {}, std::string(1u << 20u, 'x')).code, 1);
}

TEST_F(Tap, EchoesDifferAsTheirNamesSay) {
  const std::string image = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}})";
  const std::string line = claude_frame(R"({"type":"text","text":"t"},)" + image);
  const auto content = [&](const std::string& scenario) {
    for (const Json& frame : frames(run_program(install(scenario).executable(), {replay}, line).out)) {
      if (frame.contains("isReplay")) {
        return frame["message"]["content"];
      }
    }
    return Json();
  };
  EXPECT_EQ(content("ok")[1], Json::parse(image));
  EXPECT_EQ(content("echo_altered")[1]["source"]["media_type"], "image/jpeg");
  EXPECT_NE(content("echo_altered")[1]["source"]["data"], "QUJD");
  EXPECT_EQ(content("echo_dropped").size(), 1u);
  EXPECT_EQ(content("echo_text")[1]["type"], "text");
  EXPECT_TRUE(content("echo_none").is_null());
  EXPECT_TRUE(frames(run_program(install("ok").executable(), {}, line).out)[1]["isReplay"].is_null())
      << "only with the flag that asks for it";
}

TEST_F(Tap, AGrandchildIsLeftAndItsIdKnown) {
  const TapHome home = install("grandchild");
  auto child = sdk::ChildProcess::spawn({home.executable().string(), {}, {}, {}});
  child.close_input();
  child.pump({}, {});
  EXPECT_TRUE(home.captures().at(0).grandchildren.empty()) << "there was no turn";
  child.end(std::chrono::milliseconds(0));
  const Ran ran = run_program(home.executable(), {}, hello);
  EXPECT_EQ(ran.code, 0);
  ASSERT_EQ(home.captures().at(1).grandchildren.size(), 1u);
}

/// Hands out a text.
class Source : public sdk::ByteSource {
 public:
  explicit Source(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = text_.copy(buffer.data(), buffer.size(), at_);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

TEST_F(Tap, DeafReadsNothing) {
  const TapHome home = install("deaf");
  auto child = sdk::ChildProcess::spawn({home.executable().string(), {}, {}, {}});
  child.send(std::make_unique<Source>(std::string(4u << 20u, 'x')));
  sdk::ChildProcess::Limits limits;
  limits.idle = std::chrono::milliseconds(500);
  EXPECT_EQ(child.pump({}, limits), sdk::PumpEnd::idle);
  EXPECT_FALSE(child.write_state().complete);
  EXPECT_FALSE(child.end(std::chrono::milliseconds(100)).success());
  EXPECT_EQ(home.captures().at(0).stdin_bytes, 0u);
  EXPECT_FALSE(home.captures().at(0).finished);
}

TEST_F(Tap, StubbornNeedsKill) {
  const TapHome home = install("stubborn");
  auto child = sdk::ChildProcess::spawn({home.executable().string(), {}, {}, {}});
  child.send(std::make_unique<Source>(hello));
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [](std::string_view) { return false; };  // it answers once its signals are ignored
  EXPECT_EQ(child.pump(handlers, {}), sdk::PumpEnd::stopped);
  const sdk::ExitStatus status = child.end(std::chrono::milliseconds(100));
  EXPECT_EQ(status.kind, sdk::ExitStatus::Kind::signalled);
  EXPECT_EQ(status.value, SIGKILL);
}

TEST_F(Tap, DelayedOpenLooksAtTheFileOnlyAfterTheAnswer) {
  const TapHome home = install("delayed_open");
  write_file(folder_ / "f.bin", "x");
  run_program(home.executable(), {},
              claude_frame(std::string(R"({"type":"text","text":")") + (folder_ / "f.bin").string() + "\"}"));
  EXPECT_EQ(home.captures().at(0).files.size(), 1u);
  EXPECT_TRUE(home.captures().at(0).files.at(0).readable);
}

TEST_F(Tap, AnUnknownScenarioOrAnHttpDialectIsRefused) {
  EXPECT_THROW(install("no-such"), std::invalid_argument);
  EXPECT_THROW(TapHome::install(folder_ / "x", shipped_dialect("anthropic-messages"), "ok"), std::invalid_argument);
}

TEST_F(Tap, WithoutItsFilesItEndsWithItsOwnCode) {
  const TapHome home = install("ok");
  std::filesystem::remove(folder_ / "ok/tap.json");
  EXPECT_EQ(run_program(home.executable(), {}, hello).code, 125);
}

}  // namespace
}  // namespace attache::conformance
