// SPDX-License-Identifier: Apache-2.0
// Hand-written records, read through a dialect.
#include "wire/capture.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"
#include "wire/records.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

class Captured : public testing::Test {
 protected:
  Capture read(const std::string& body, const std::string& dialect = "claude-stream-json") {
    write_file(folder_ / "stdin", body);
    write_file(folder_ / "start.json", "{}");
    dialect_ = std::make_unique<Dialect>(shipped_dialect(dialect));
    return read_record(folder_.path(), *dialect_);
  }
  CapturedItem item(const std::string& element) {
    const Capture capture = read(claude_frame(element));
    EXPECT_TRUE(capture.faults.empty());
    EXPECT_EQ(capture.turns.size(), 1u);
    return capture.turns.at(0).items.at(0);
  }
  static std::string image(const std::string& data, const std::string& type = "image/png") {
    return R"({"type":"image","source":{"type":"base64","media_type":")" + type + R"(","data":")" + data + R"("}})";
  }
  TempFolder folder_;
  std::unique_ptr<Dialect> dialect_;
};

TEST_F(Captured, ItemsStandInWireOrderWithTheirDigests) {
  const Capture capture = read(claude_frame(
      R"({"type":"text","text":"a \"b\" é"},)" + image("QUJD") +
      R"(,{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"QUI="},"title":"x.pdf"},)" +
      R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"line\n"},"title":"x.txt"})"));
  ASSERT_EQ(capture.turns.size(), 1u);
  const auto& items = capture.turns[0].items;
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[0].type, CapturedItem::Type::text);
  EXPECT_EQ(items[0].text, "a \"b\" \xc3\xa9");
  EXPECT_EQ(items[1].rule->name, "image/base64");
  EXPECT_EQ(items[1].sha256, sdk::sha256("ABC"));
  EXPECT_EQ(items[1].media_type, "image/png");
  EXPECT_EQ(items[2].label, "x.pdf");
  EXPECT_EQ(items[2].size, 2u);
  EXPECT_EQ(items[3].rule->name, "document/text");
  EXPECT_EQ(items[3].sha256, sdk::sha256("line\n"));
  EXPECT_TRUE(items[3].well_encoded);
}

TEST_F(Captured, AStringIsOneText) {
  const Capture capture = read("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n");
  ASSERT_EQ(capture.turns.at(0).items.size(), 1u);
  EXPECT_EQ(capture.turns[0].items[0].text, "hi");
}

TEST_F(Captured, OnlyStrictBase64IsWellEncoded) {
  for (const char* bad :
       {"QUJ", "QUJD\\nQUJD", " QUJD", "QUI", "QUJ=", "QQ==QQ==", "Q_-D", "data:image/png;base64,QUJD", "!!!!"}) {
    EXPECT_FALSE(item(image(bad)).well_encoded) << bad;
    EXPECT_EQ(item(image(bad)).size, 0u);
  }
  EXPECT_TRUE(item(image("")).well_encoded);
}

TEST_F(Captured, LargeValuesAreJudgedLikeSmallOnes) {
  const std::string bytes = Random(4).bytes(3u << 20u);
  const std::string text = sdk::base64_encode(bytes);
  const CapturedItem good = item(image(text));
  EXPECT_TRUE(good.well_encoded);
  EXPECT_EQ(good.size, bytes.size());
  EXPECT_EQ(good.sha256, sdk::sha256(bytes));
  EXPECT_EQ(good.shape.find(text.substr(0, 70)), std::string::npos);
  EXPECT_NE(good.shape.find(fmt::format("<{} bytes>", text.size())), std::string::npos);
  std::string wrapped;
  for (std::size_t at = 0; at < text.size(); at += 76) {
    wrapped += text.substr(at, 76) + "\\n";
  }
  EXPECT_FALSE(item(image(wrapped)).well_encoded);
  EXPECT_FALSE(item(image("data:image/png;base64," + text)).well_encoded);
  std::string broken = text;
  broken[broken.size() / 2] = '*';
  EXPECT_FALSE(item(image(broken)).well_encoded);
}

TEST_F(Captured, ABlockOfNoRuleIsUnknownAndKeepsItsShape) {
  const CapturedItem audio =
      item(R"({"type":"audio","source":{"type":"base64","media_type":"audio/wav","data":"QUJD"}})");
  EXPECT_EQ(audio.type, CapturedItem::Type::unknown);
  EXPECT_EQ(audio.rule, nullptr);
  EXPECT_NE(audio.shape.find("audio/wav"), std::string::npos);
  EXPECT_EQ(item(R"({"type":"image","source":{"type":"file","file_id":"x"}})").rule, nullptr);
}

TEST_F(Captured, ABlockWithoutItsValueIsNotWellEncoded) {
  EXPECT_FALSE(item(R"({"type":"image","source":{"type":"base64","media_type":"image/png"}})").well_encoded);
}

TEST_F(Captured, FaultsOfTheFramingAreTold) {
  EXPECT_FALSE(read("not json\n").faults.empty());
  EXPECT_FALSE(read("[1]\n").faults.empty());
  const Capture unfinished = read(R"({"type":"user","message":{"role":"user","content":"hi"}})");
  ASSERT_EQ(unfinished.faults.size(), 1u);
  EXPECT_EQ(unfinished.turns.size(), 1u);
  EXPECT_EQ(read("{\"type\":\"user\",\"message\":{\"role\":\"user\"}}\n").faults.size(), 1u);
  const Capture other = read("{\"type\":\"control_request\"}\n");
  EXPECT_TRUE(other.faults.empty());
  EXPECT_TRUE(other.turns.empty());
}

TEST_F(Captured, OfAnHttpRequestTheLastUserMessageCounts) {
  const Capture capture = read(
      "{\n \"messages\": [{\"role\":\"user\",\"content\":\"old\"},\r\n {\"role\":\"assistant\",\"content\":\"x\"},\n"
      " {\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"new\"}," +
          image("QUJD") +
          "]},\n"
          " {\"role\":\"system\",\"content\":[]}]\n}",
      "anthropic-messages");
  EXPECT_TRUE(capture.faults.empty());
  ASSERT_EQ(capture.turns.size(), 1u);
  EXPECT_EQ(capture.turns[0].items.at(0).text, "new");
  EXPECT_EQ(capture.turns[0].items.at(1).sha256, sdk::sha256("ABC"));
}

TEST_F(Captured, UrlBlocksKeepTheUrl) {
  const Capture capture = read(
      R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://e.com/a"}}]}]})",
      "anthropic-messages");
  EXPECT_EQ(capture.turns.at(0).items.at(0).rule->mode, input::Mode::provider_url);
  EXPECT_EQ(capture.turns[0].items[0].text, "https://e.com/a");
}

TEST_F(Captured, DataUrlsCarryTheirTypeInTheValue) {
  auto document = nlohmann::ordered_json::parse(read_file(std::filesystem::path(DIALECTS) / "claude-stream-json.json"));
  auto& block = document["blocks"][0];
  block["match"] = {{"type", "input_image"}};
  block["data"] = "/image_url";
  block["encoding"] = "data_url";
  block.erase("media_type");
  write_file(folder_ / "claude-stream-json.json", document.dump());
  const Dialect dialect = Dialect::load(folder_ / "claude-stream-json.json");
  const std::string bytes = Random(1).bytes(2u << 20u);
  const auto element = [](const std::string& url) { return R"({"type":"input_image","image_url":")" + url + "\"}"; };
  write_file(folder_ / "stdin",
             claude_frame(element("data:image/png;base64,QUJD") + "," +
                          element(std::string("data:image/gif;base64,") + sdk::base64_encode(bytes)) + "," +
                          element("data:image/png,QUJD") + "," + element("QUJD")));
  const Capture capture = read_record(folder_.path(), dialect);
  const auto& items = capture.turns.at(0).items;
  EXPECT_EQ(items.at(0).media_type, "image/png");
  EXPECT_EQ(items[0].sha256, sdk::sha256("ABC"));
  EXPECT_EQ(items.at(1).media_type, "image/gif");
  EXPECT_EQ(items[1].sha256, sdk::sha256(bytes));
  EXPECT_FALSE(items.at(2).well_encoded);
  EXPECT_FALSE(items.at(3).well_encoded);
}

TEST_F(Captured, ARecordThatWasCutShortIsStillRead) {
  write_file(folder_ / "events.jsonl", "{\"event\":\"stdin_eof\",\"at\":1}\n{\"event\":\"fin");
  Capture capture = read(claude_frame(image("QUJD")));
  EXPECT_TRUE(capture.stdin_closed);
  EXPECT_FALSE(capture.finished);
  EXPECT_EQ(capture.turns.size(), 1u);
  std::filesystem::remove(folder_ / "start.json");
  EXPECT_EQ(read_record(folder_.path(), *dialect_).faults.size(), 1u);
}

}  // namespace
}  // namespace attache::conformance
