// SPDX-License-Identifier: Apache-2.0
// Dialects with a handshake: frames that are no turn are answered, echoes take another form, files are named in texts.
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

#include "tap/echo.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

class Replies : public testing::Test {
 protected:
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
  Dialect dialect_ = shipped_dialect("codex-app-server");
};

TEST_F(Replies, ACallIsAnsweredWithItsOwnIdAndATurnIsOne) {
  write_file(folder_ / "paper.pdf", "pages");
  const std::string paper = (folder_ / "paper.pdf").string();
  const std::string url = "data:image/png;base64,QUJD";
  const std::string sent =
      "{\"id\":7,\"method\":\"initialize\",\"params\":{}}\n{\"method\":\"initialized\"}\n"
      "{\"id\":\"a\",\"method\":\"model/list\",\"params\":{}}\n" +
      Json{{"id", 8},
           {"method", "turn/start"},
           {"params",
            {{"threadId", "t1"},
             {"input",
              {{{"type", "text"}, {"text", "look"}},
               {{"type", "image"}, {"url", url}},
               {{"type", "text"}, {"text", "[attache input 2: file application/pdf " + paper + "]"}},
               {{"type", "text"}, {"text", "[attache input 3: audio audio/wav " + paper + "]"}}}}}}}
          .dump() +
      "\n";
  const TapHome home = TapHome::install(folder_ / "tap", dialect_, "ok");
  const Ran ran = run_program(home.executable(), {"app-server"}, sent, folder_.path().string());
  EXPECT_EQ(ran.code, 0);
  const auto said = frames(ran.out);
  ASSERT_GE(said.size(), 5u);
  EXPECT_EQ(said[0]["id"], 7);
  EXPECT_EQ(said[1]["id"], "a");
  EXPECT_EQ(said[2]["method"], "turn/started");
  EXPECT_EQ(said[3]["id"], 8);
  const Json& content = said[4]["params"]["item"]["content"];
  EXPECT_EQ(content[0], (Json{{"type", "input_text"}, {"text", "look"}}));
  EXPECT_EQ(content[1]["image_url"], url);
  EXPECT_EQ(content[2]["type"], "input_text");
  const auto captures = home.captures();
  ASSERT_EQ(captures.at(0).turns.size(), 1u) << "the handshake is no turn";
  const auto& items = captures[0].turns[0].items;
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[1].rule->name, "image/data-url");
  EXPECT_EQ(items[1].sha256, sdk::sha256("ABC"));
  ASSERT_NE(items[2].rule, nullptr);
  EXPECT_EQ(items[2].rule->mode, input::Mode::workspace_reference);
  EXPECT_EQ(items[2].media_type, "application/pdf");
  EXPECT_EQ(items[2].text, paper);
  EXPECT_EQ(items[3].type, CapturedItem::Type::text) << "a text that names another kind is a text";
  ASSERT_EQ(captures[0].files.size(), 1u);
  EXPECT_EQ(captures[0].files[0].path, paper);
  EXPECT_EQ(captures[0].files[0].sha256, sdk::sha256("pages"));
}

TEST_F(Replies, AnAnswersOwnComeBeforeTheDialects) {
  Json document = Json::parse(read_file(std::filesystem::path(DIALECTS) / "codex-app-server.json"));
  document["answers"]["ok"]["replies"] = Json::array(
      {{{"frame", {{"method", "initialize"}}},
        {"steps", Json::array({{{"frame", {{"id", "${id}"}, {"error", {{"code", 1}, {"message", "no"}}}}}}})}}});
  write_file(folder_ / "codex-app-server.json", document.dump());
  const Dialect changed = Dialect::load(folder_ / "codex-app-server.json");
  const TapHome home = TapHome::install(folder_ / "tap", changed, "ok");
  const Ran ran = run_program(home.executable(), {}, "{\"id\":1,\"method\":\"initialize\"}\n", folder_.path().string());
  EXPECT_EQ(frames(ran.out).at(0)["error"]["message"], "no");
}

TEST_F(Replies, TheFormOfAnEchoIsKeptUnderAnEdit) {
  const std::string line =
      R"({"method":"turn/start","params":{"input":[{"url":"data:image/png;base64,QUJD","type":"image"},)"
      R"({"type":"text","text":"a \"b\""}]}})";
  write_file(folder_ / "stdin", line + "\n");
  const Json frame = Json::parse(line);
  const EchoSource source{folder_ / "stdin", {0, line.size()}, &frame};
  const Json each = {{"text", {{"t", "${value}"}}}, {"image/data-url", {{"i", "${value}"}, {"d", 1}}}};
  const auto echo = [&](const Json& edit) {
    std::string out;
    write_echo(R"({"m":"${content}"})", edit, each, source, dialect_.impl(),
               [&](std::string_view bytes) { return out += bytes, true; });
    return out;
  };
  EXPECT_EQ(echo({}), R"({"m":[{"i":"data:image/png;base64,QUJD","d":1},{"t":"a \"b\""}]})"
                      "\n");
  EXPECT_EQ(echo({{"blocks", "first"}, {"set", {{"/url", "x"}}}}), R"({"m":[{"i":"x","d":1},{"t":"a \"b\""}]})"
                                                                   "\n");
  EXPECT_EQ(echo({{"blocks", "first"}, {"remove", true}}), R"({"m":[{"t":"a \"b\""}]})"
                                                           "\n");
  EXPECT_EQ(echo({{"blocks", "first"}, {"replace", {{"t", "gone"}}}}), R"({"m":[{"t":"gone"},{"t":"a \"b\""}]})"
                                                                       "\n");
}

}  // namespace
}  // namespace attache::conformance
