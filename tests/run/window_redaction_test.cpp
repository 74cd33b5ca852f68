// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>

#include "redact/path_forms.hpp"
#include "redact/redactor.hpp"
#include "scratch.hpp"

namespace attache::redact {
namespace {

using test::long_text;
using test::noise;
using test::Scratch;

const std::string marker = "[attache: input input-1 removed]";

class WindowRedaction : public ::testing::Test {
 protected:
  std::unique_ptr<Redactor> guard(std::string_view bytes) {
    const std::filesystem::path path = scratch.write("input-1.bin", bytes);
    return std::make_unique<Redactor>(Guard{scratch.path().string(), "", {{"input-1", path.string(), {}}}});
  }
  Scratch scratch;
};

std::string hex(std::string_view bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out.push_back(digits[static_cast<unsigned char>(c) >> 4]);
    out.push_back(digits[static_cast<unsigned char>(c) & 15U]);
  }
  return out;
}

TEST_F(WindowRedaction, R_K1_Base64AtEachAlignmentGoesWithItsRun) {
  const std::string bytes = noise(3000);
  for (const std::string before : {"", "x", "xy"}) {
    const auto redactor = guard(bytes);
    const std::string line = R"({"data":")" + sdk::base64_encode(before + bytes) + R"(","type":"image"})";
    EXPECT_EQ(redactor->guarded(line), R"({"data":")" + marker + R"(","type":"image"})") << before.size();
  }
}

// Of a large input that is the longest part of a short run's end.
TEST_F(WindowRedaction, InputsAreNotReadForWhatCannotHoldAPieceOfThem) {
  const std::string bytes = noise(3000);
  const std::string path = (scratch.path() / "input-1.bin").string();
  Redactor redactor(Guard{scratch.path().string(), "", {{"input-1", path, {}}}});
  for (std::size_t i = 0; i < Redactor::channel_count; ++i) {
    EXPECT_EQ(redactor.flush(static_cast<Redactor::Channel>(i)), "");
  }
  EXPECT_EQ(redactor.guarded("short"), "short");
  EXPECT_EQ(redactor.guarded_json(R"({"tokens":3})"), R"({"tokens":3})");
  scratch.write("input-1.bin", bytes);
  EXPECT_EQ(redactor.guarded(bytes), marker);
}

TEST_F(WindowRedaction, R_K1_HexAndRawBytes) {
  const std::string bytes = noise(3000);
  const auto redactor = guard(bytes);
  EXPECT_EQ(redactor->guarded("dump " + hex(bytes) + " end"), "dump " + marker + " end");
  EXPECT_EQ(redactor->guarded(bytes), marker);
}

TEST_F(WindowRedaction, Base64WithEscapedSlashesInJson) {
  const std::string bytes = noise(3000);
  const auto redactor = guard(bytes);
  const std::string line = "\"" + json_escaped(sdk::base64_encode(bytes), true) + "\"";
  EXPECT_EQ(redactor->guarded(line), "\"" + marker + "\"");
}

TEST_F(WindowRedaction, R_K1_EveryPieceOf40KiBOfALargeInputIsFound) {
  const std::string bytes = noise(1U << 20);
  const auto redactor = guard(bytes);
  for (std::size_t at = 0; at + 40960 <= bytes.size(); at += 99991) {
    const std::string piece = sdk::base64_encode(std::string_view(bytes).substr(at, 40960));
    EXPECT_EQ(redactor->guarded("a " + piece + " b"), "a " + marker + " b") << at;
  }
}

TEST_F(WindowRedaction, R_K1_ALongEchoInPiecesLeavesNothing) {
  const std::string bytes = noise(1U << 20);
  const auto redactor = guard(bytes);
  const std::string line = "{\"data\":\"" + sdk::base64_encode(bytes) + "\"}\nnext line\n";
  std::string out;
  for (std::size_t at = 0; at < line.size(); at += 1000) {
    out += redactor->push(Redactor::Channel::out, std::string_view(line).substr(at, 1000));
  }
  out += redactor->flush(Redactor::Channel::out);
  EXPECT_EQ(out, "{\"data\":\"" + marker + "\"}\nnext line\n");
}

TEST_F(WindowRedaction, SplitAtAnyByte) {
  const std::string bytes = noise(48);
  const std::string line = "data=" + sdk::base64_encode(bytes) + ";\n";
  for (std::size_t cut = 0; cut <= line.size(); ++cut) {
    const auto redactor = guard(bytes);
    std::string out = redactor->push(Redactor::Channel::err, std::string_view(line).substr(0, cut));
    out += redactor->push(Redactor::Channel::err, std::string_view(line).substr(cut));
    out += redactor->flush(Redactor::Channel::err);
    ASSERT_EQ(out, "data=" + marker + ";\n") << cut;
  }
}

TEST_F(WindowRedaction, TextGoesToTheEndsOfItsLineOrString) {
  const std::string text = long_text(2000);
  const auto redactor = guard(text);
  const std::string shown = redactor->guarded("{\"text\":\"" + json_escaped(text, false) + "\"}");
  EXPECT_EQ(shown, "{\"text\":\"" + marker + "\"}");
}

TEST_F(WindowRedaction, AnswersAndReasoningMayQuoteAnInput) {
  const std::string text = long_text(2000);
  const auto redactor = guard(text);
  EXPECT_EQ(redactor->answer(text), text);
  std::string streamed = redactor->push(Redactor::Channel::answer, text);
  streamed += redactor->flush(Redactor::Channel::answer);
  EXPECT_EQ(streamed, text);
}

TEST_F(WindowRedaction, JsonStaysJsonAroundEscapedQuotes) {
  const std::string text = "He said \"the quick brown fox jumps over\" and \"nothing else happened\".\nShort 12.\n";
  const std::string bytes = noise(3000);
  using Json = nlohmann::ordered_json;
  const Json quoted{{"text", text}, {"is", {"kept \\ \"as\" it was", 1.50}}};
  EXPECT_EQ(guard(text)->guarded_json(quoted.dump()),
            R"({"text":")" + marker + R"(","is":["kept \\ \"as\" it was",1.5]})");

  const Json nested{{"arguments", Json{{"data", sdk::base64_encode(bytes)}, {"more", "x"}}.dump()}};
  const Json clean = Json::parse(guard(bytes)->guarded_json(nested.dump()));
  EXPECT_EQ(clean.at("arguments"), R"({"data":")" + marker + R"(","more":"x"})");
}

TEST_F(WindowRedaction, JsonWithoutAFindStaysAsWritten) {
  const std::string line = R"({ "a\u0041" : "\/ \\", "b":[ ] , "c" : -0.0})";
  EXPECT_EQ(guard(noise(3000))->guarded_json(line), line);
  EXPECT_EQ(guard(noise(3000))->guarded_json(""), "");
}

TEST_F(WindowRedaction, UniformBytesAreNoWindow) {
  const auto redactor = guard(std::string(4000, ' ') + std::string(4000, '\0'));
  const std::string indented = std::string(200, ' ') + "text";
  EXPECT_EQ(redactor->guarded(indented), indented);
}

TEST_F(WindowRedaction, OtherLinesAreHandedOutAtOnce) {
  const auto redactor = guard(noise(3000));
  EXPECT_EQ(redactor->push(Redactor::Channel::err, "warning: one\n"), "warning: one\n");
  EXPECT_EQ(redactor->push(Redactor::Channel::err, "partial"), "");
  EXPECT_EQ(redactor->flush(Redactor::Channel::err), "partial");
}

/// 20 texts of one window's length and one hash: multiples of a vector that the hash maps to 0 (found by LLL).
std::vector<std::string> alike() {
  static constexpr int kernel[InputWindows::length] = {0,  -2, 1, -1, -2, 1, -1, 3, 0,  2, -2, -1, 2,  -2, -2, -1,
                                                       -1, 2,  3, -1, 1,  2, -1, 0, -1, 0, 0,  1,  -2, -2, 0,  -2};
  std::vector<std::string> made;
  for (int multiple = 1; multiple <= 20; ++multiple) {
    std::string text;
    for (int i = 0; i < 32; ++i) text.push_back(static_cast<char>(60 + i / 2 + multiple * kernel[i]));
    made.push_back(text);
  }
  return made;
}

TEST_F(WindowRedaction, AnInputMadeOfOneHashCannotSlowTheSearch) {
  std::string content;
  for (const std::string& text : alike()) {
    ASSERT_EQ(InputWindows::hash(text.data()), InputWindows::hash(alike().front().data()));
    content += text;
  }
  InputWindows windows;
  windows.add({"input-1", scratch.write("input-1.bin", content).string(), {}});
  std::size_t found = 0;
  for (const std::string& text : alike()) {
    found += windows.find(InputWindows::hash(text.data()), text.data()) != nullptr ? 1 : 0;
  }
  EXPECT_EQ(found, InputWindows::most_alike);
}

TEST_F(WindowRedaction, OneByteAtATimeIsAsAllAtOnce) {
  const std::string bytes = noise(3000);
  const std::string text =
      "one\n\n" + std::string(70000, 'x') + " \"" + sdk::base64_encode(bytes) + "\"\n" + hex(bytes) + "\nlast";
  const auto redactor = guard(bytes);
  std::string whole = redactor->push(Redactor::Channel::out, text);
  whole += redactor->flush(Redactor::Channel::out);
  std::string pieces;
  for (const char c : text) pieces += redactor->push(Redactor::Channel::err, {&c, 1});
  pieces += redactor->flush(Redactor::Channel::err);
  EXPECT_EQ(pieces, whole);
  EXPECT_EQ(whole, "one\n\n" + std::string(70000, 'x') + " \"" + marker + "\"\n" + marker + "\nlast");
}

TEST_F(WindowRedaction, HoldsBackABoundedPartOfALine) {
  const auto redactor = guard(noise(3000));
  std::string out;
  const std::string piece(10000, 'a');
  for (int i = 0; i < 100; ++i) out += redactor->push(Redactor::Channel::wire, piece);
  EXPECT_GE(out.size(), 1000000U - (64U << 10));
}

}  // namespace
}  // namespace attache::redact
