// SPDX-License-Identifier: Apache-2.0

#include "tap/echo.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

class Echo : public testing::Test {
 protected:
  /// The echo of a frame whose line stands behind another one.
  std::string echo(const std::string& line, const Json& edit = {}) {
    const std::string before = "{\"type\":\"other\"}\n";
    write_file(folder_ / "stdin", before + line + "\n" + before);
    const Json frame = Json::parse(line);
    const EchoSource source{folder_ / "stdin", {before.size(), before.size() + line.size()}, &frame};
    std::string out;
    ok_ = write_echo(R"({"m":"${content}","t":1})", edit, Json(), source, dialect_.impl(),
                     [&](std::string_view bytes) { return out += bytes, true; });
    return out;
  }
  static std::string frame(const std::string& content) {
    return R"({ "message": {"role":"user", "x": ["[", {"content":1}], "content": )" + content + R"( }, "type":"user"})";
  }
  TempFolder folder_;
  Dialect dialect_ = shipped_dialect("claude-stream-json");
  bool ok_ = false;
};

const std::string text = R"({"type":"text","text":"a, ] \" \\"})";
const std::string one = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}})";
const std::string two = R"({"source": {"data" :"REVG","type":"base64", "media_type":"image/gif"},"type":"image" })";

TEST_F(Echo, ContentComesBackByteForByte) {
  EXPECT_EQ(echo(frame("[" + text + "," + one + "," + two + "]")),
            R"({"m":[)" + text + "," + one + "," + two + R"(],"t":1})" + "\n");
  EXPECT_EQ(echo(frame(R"("just é \u00e9")")), R"({"m":"just é \u00e9","t":1})"
                                               "\n");
  EXPECT_EQ(echo(frame("[]")), "{\"m\":[],\"t\":1}\n");
  EXPECT_TRUE(ok_);
}

TEST_F(Echo, ABlockIsRemovedWithItsComma) {
  const Json first = {{"blocks", "first"}, {"remove", true}};
  const Json all = {{"blocks", "all"}, {"remove", true}};
  EXPECT_EQ(echo(frame("[" + text + "," + one + "," + two + "]"), first),
            R"({"m":[)" + text + "," + two + R"(],"t":1})" + "\n");
  EXPECT_EQ(echo(frame("[" + one + "," + text + "]"), first), R"({"m":[)" + text + R"(],"t":1})" + "\n");
  EXPECT_EQ(echo(frame("[" + one + "," + two + "]"), all), "{\"m\":[],\"t\":1}\n");
}

TEST_F(Echo, MembersAreSetWhereverTheyStand) {
  const Json edit = {{"blocks", "last"},
                     {"set", {{"/source/data", "WFla"}, {"/source/media_type", "image/jpeg"}, {"/absent", 1}}}};
  EXPECT_EQ(echo(frame("[" + one + "," + two + "," + text + "]"), edit),
            R"({"m":[)" + one +
                R"(,{"source": {"data" :"WFla","type":"base64", "media_type":"image/jpeg"},"type":"image" },)" + text +
                R"(],"t":1})" + "\n");
}

TEST_F(Echo, ABlockIsReplaced) {
  EXPECT_EQ(echo(frame("[" + one + "," + text + "]"), {{"blocks", "first"}, {"replace", {{"type", "text"}}}}),
            R"({"m":[{"type":"text"},)" + text + R"(],"t":1})" + "\n");
}

TEST_F(Echo, NothingIsEchoedOfAFrameThatIsNoTurn) {
  EXPECT_EQ(echo(R"({"type":"keep_alive"})"), "");
  EXPECT_FALSE(ok_);
}

TEST(JsonSpans, FindsNestedAndEscapedKeysNumbersAndTheLastOfDuplicates) {
  TempFolder folder;
  const std::string document = R"({"a/b":{"~":[1,-2.5e3 ,true]},"k\"":null,"d":1,"d":22})";
  write_file(folder / "f", "xx" + document + "yy");
  const auto spans =
      json_spans(folder / "f", {2, 2 + document.size()}, {"", "/a~1b/~0/1", "/a~1b/~0/2", "/d", "/none", "/a~1b/~0"});
  const auto text_of = [&](const char* pointer) {
    const ByteRange range = spans.at(pointer);
    return document.substr(range.begin - 2, range.end - range.begin);
  };
  EXPECT_EQ(text_of(""), document);
  EXPECT_EQ(text_of("/a~1b/~0/1"), "-2.5e3");
  EXPECT_EQ(text_of("/a~1b/~0/2"), "true");
  EXPECT_EQ(text_of("/d"), "22");
  EXPECT_EQ(text_of("/a~1b/~0"), "[1,-2.5e3 ,true]");
  EXPECT_EQ(spans.count("/none"), 0u);
}

}  // namespace
}  // namespace attache::conformance
