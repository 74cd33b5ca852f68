// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

namespace attache::sdk {
namespace {

using nlohmann::ordered_json;
using Status = JsonLines::Status;

constexpr JsonLines::Limits kSmall{16, 4096, 65536};

std::vector<Frame> split(std::string_view text, std::size_t step, const JsonLines::Limits& limits = kSmall) {
  JsonLines lines(limits);
  std::vector<Frame> frames;
  const auto keep = [&frames](Frame& frame) {
    frames.push_back(std::move(frame));
    return true;
  };
  for (; !text.empty(); text.remove_prefix(std::min(step, text.size()))) {
    EXPECT_EQ(lines.feed(text.substr(0, step), keep), Status::ok);
  }
  if (auto last = lines.finish()) frames.push_back(std::move(*last));
  return frames;
}

Frame one(const std::string& line, const JsonLines::Limits& limits = kSmall) {
  std::vector<Frame> frames = split(line + "\n", line.size() + 1, limits);
  EXPECT_EQ(frames.size(), 1u) << line;
  return frames.empty() ? Frame{} : std::move(frames.front());
}

/// What is known of a value: with the long string, of what it stands for.
std::string describe(const Frame& frame, const std::string& value) {
  const LongString* const found = frame.find(value);
  if (found == nullptr) return "inline " + value;
  std::string text = "long " + std::to_string(found->length) + " " + to_hex(found->sha256);
  if (found->is_base64) {
    text += " base64 [" + found->media_type + "] " + std::to_string(found->decoded_size) + " " +
            to_hex(found->decoded_sha256);
  }
  return text;
}

std::string expected_long(const std::string& decoded) {
  return "long " + std::to_string(decoded.size()) + " " + to_hex(sha256(decoded));
}

std::string expected_base64(const std::string& decoded, const std::string& type, const std::string& bytes) {
  return expected_long(decoded) + " base64 [" + type + "] " + std::to_string(bytes.size()) + " " +
         to_hex(sha256(bytes));
}

std::string value_of(const std::string& raw, const JsonLines::Limits& limits = kSmall) {
  const Frame frame = one("{\"v\":\"" + raw + "\"}", limits);
  return describe(frame, ordered_json::parse(frame.json).at("v").get<std::string>());
}

TEST(JsonLines, SplitAtEveryByteAndInEveryStepGivesTheSame) {
  const std::string bytes = "The quick brown fox jumps over the lazy dog";
  const std::string text =
      "{\"type\":\"a\",\"image\":\"" + base64_encode(bytes) + "\",\"url\":\"data:image/png;base64," +
      base64_encode(bytes) +
      "\",\"text\":\"\\\"quoted\\\\ \\u00e4 \\ud83d\\ude00 \\ud800 lone\\n\xe2\x82\xac\",\"short\":\"\\\\\\\"\"}\r\n"
      "\n \t\r\n[1,\"exactly sixteen!\",\"seventeen letters\"]\n{\"last\":\"line without a line end\"}";
  const std::vector<std::string> wanted{
      "inline a",
      expected_base64(base64_encode(bytes), "", bytes),
      expected_base64("data:image/png;base64," + base64_encode(bytes), "image/png", bytes),
      expected_long("\"quoted\\ \xc3\xa4 \xf0\x9f\x98\x80 \xef\xbf\xbd lone\n\xe2\x82\xac"),
      "inline \\\"",
      "inline exactly sixteen!",
      expected_long("seventeen letters"),
      expected_long("line without a line end")};
  for (std::size_t step = 1; step <= text.size(); ++step) {
    const std::vector<Frame> frames = split(text, step);
    ASSERT_EQ(frames.size(), 3u) << step;
    std::vector<std::string> seen;
    for (const Frame& frame : frames) {
      for (const auto& value : ordered_json::parse(frame.json)) {
        if (value.is_string()) seen.push_back(describe(frame, value.get<std::string>()));
      }
    }
    ASSERT_EQ(seen, wanted) << step;
    ASSERT_EQ(frames[0].line_length, text.find('\n'));
  }
}

TEST(JsonLines, OneCutAtEveryByte) {
  const std::string line =
      "{\"k\\\"\":\"\\\\\\\"\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\uDE00\\udc00\xf0\x9f\x98\x80\\\\\",\"e\":\"\"}\n";
  const std::string wanted = expected_long("\\\"/\b\f\n\r\tA\xf0\x9f\x98\x80\xef\xbf\xbd\xf0\x9f\x98\x80\\");
  for (std::size_t cut = 0; cut <= line.size(); ++cut) {
    JsonLines lines(kSmall);
    std::vector<std::string> seen;
    const auto look = [&seen](Frame& frame) {
      seen.push_back(describe(frame, ordered_json::parse(frame.json).at("k\"").get<std::string>()));
      return true;
    };
    lines.feed(std::string_view(line).substr(0, cut), look);
    lines.feed(std::string_view(line).substr(cut), look);
    ASSERT_EQ(seen, std::vector<std::string>{wanted}) << cut;
  }
}

TEST(JsonLines, StringsUpToTheLimitStayExactlyAsWritten) {
  // Sixteen characters decoded, many more as written.
  std::string raw;
  for (int i = 0; i < 16; ++i) raw += "\\u0041";
  const std::string line = "{ \"v\" : \"" + raw + "\" }";
  EXPECT_EQ(one(line).json, line);
  EXPECT_TRUE(one(line).long_strings.empty());
  EXPECT_EQ(value_of(raw + "\\u0042"), expected_long("AAAAAAAAAAAAAAAAB"));
  // Sixteen bytes and a lone surrogate, which becomes three more only at the end.
  EXPECT_EQ(value_of("aaaaaaaaaaaaaaaa\\ud800"), expected_long("aaaaaaaaaaaaaaaa\xef\xbf\xbd"));
}

TEST(JsonLines, LongKeysAreTakenOutToo) {
  const Frame frame = one("{\"a key of more than sixteen\":1}");
  EXPECT_EQ(describe(frame, ordered_json::parse(frame.json).begin().key()),
            expected_long("a key of more than sixteen"));
}

TEST(JsonLines, SurrogatesPairOrBecomeReplacements) {
  const std::string pad(16, 'p');
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(value_of(pad + "\\ud83d\\ude00"), expected_long(pad + "\xf0\x9f\x98\x80"));
  EXPECT_EQ(value_of(pad + "\\ud83d\\ud83d\\ude00"), expected_long(pad + bad + "\xf0\x9f\x98\x80"));
  EXPECT_EQ(value_of(pad + "\\ude00\\ud83d"), expected_long(pad + bad + bad));
  EXPECT_EQ(value_of(pad + "\\ud83dx"), expected_long(pad + bad + "x"));
  EXPECT_EQ(value_of(pad + "\\ud83d\\n"), expected_long(pad + bad + "\n"));
  EXPECT_EQ(value_of(pad + "\\ud83d\\u0041"), expected_long(pad + bad + "A"));
}

TEST(JsonLines, Base64IsRecognisedStrictly) {
  const std::string bytes(30, '\x7f');
  const std::string text = base64_encode(bytes);
  EXPECT_EQ(value_of(text), expected_base64(text, "", bytes));
  // Escaped slashes are usual.
  const std::string slashes = base64_encode(std::string(30, '\xff'));
  std::string escaped;
  for (const char letter : slashes) escaped += letter == '/' ? std::string("\\/") : std::string(1, letter);
  EXPECT_EQ(value_of(escaped), expected_base64(slashes, "", std::string(30, '\xff')));
  for (const std::string& other :
       {text + " ", text + "=", "data:" + text, "data:;base64," + text, "data:image/png," + text,
        "data:image/png;base64;" + text, "data:image/png;base64, " + text, " data:image/png;base64," + text}) {
    EXPECT_EQ(value_of(other), expected_long(other)) << other;
  }
  EXPECT_EQ(value_of(text + "\\n"), expected_long(text + "\n"));
  const std::string url = "data:text/plain;charset=utf-8;base64,";
  EXPECT_EQ(value_of(url + text), expected_base64(url + text, "text/plain;charset=utf-8", bytes));
  EXPECT_EQ(value_of(url), expected_base64(url, "text/plain;charset=utf-8", ""));
}

TEST(JsonLines, WithALimitOfNothingTheSmallestStringsAreTakenOut) {
  const JsonLines::Limits none{0, 4096, 65536};
  const auto frame = one("[\"data\",\"\",\"data:\"]", none);
  const auto values = ordered_json::parse(frame.json);
  EXPECT_EQ(describe(frame, values[0]), expected_base64("data", "", "\x75\xab\x5a"));
  EXPECT_EQ(describe(frame, values[1]), "inline ");
  EXPECT_EQ(describe(frame, values[2]), expected_long("data:"));
}

TEST(JsonLines, NoTextOfTheStreamIsTakenForAStandIn) {
  const JsonLines::Limits limits{64, 4096, 65536};
  const Frame frame =
      one("{\"a\":\"" + std::string(100, 'x') + "\",\"b\":\"attache-long-string:0\",\"c\":\"\"}", limits);
  const auto doc = ordered_json::parse(frame.json);
  const std::string stand_in = doc.at("a");
  EXPECT_NE(frame.find(stand_in), nullptr);
  EXPECT_EQ(frame.find("attache-long-string:0"), nullptr);
  EXPECT_EQ(frame.find(""), nullptr);
  EXPECT_EQ(frame.find(stand_in + "0"), nullptr);
  EXPECT_EQ(frame.find(stand_in + "x"), nullptr);
  EXPECT_EQ(frame.find(frame.stand_in), nullptr);
  EXPECT_EQ(frame.find(frame.stand_in + "1"), nullptr);
  EXPECT_EQ(Frame{}.find(""), nullptr);
  // Another splitter's stand-in is plain text.
  const Frame other = one("[\"" + std::string(100, 'x') + "\",\"" + stand_in + "\"]", limits);
  EXPECT_EQ(other.find(stand_in), nullptr);
}

TEST(JsonLines, R_F10_ALongStringThatIsNoJsonStringStaysRefused) {
  const std::string pad(40, 'p');
  for (const std::string& raw : {pad + "\\q", pad + "\\u12g4", "\\x" + pad, pad + "\t" + pad, pad + "\xff",
                                 pad + "\xed\xa0\x80", pad + "\xc0\xaf" + pad, pad + "\xe2\x82", pad + "\xe2\\u0041",
                                 pad + "\xe2\\n\x82\xac", "\\x" + std::string(1000, 'p'), "\xf5\x80\x80\x80" + pad}) {
    const Frame frame = one("{\"v\":\"" + raw + "\",\"w\":\"" + pad + "\"}");
    EXPECT_FALSE(ordered_json::accept(frame.json)) << frame.json;
    EXPECT_LT(frame.json.size(), 200u);
  }
}

TEST(JsonLines, InvalidFramesAreHandedOnAsTheyAre) {
  EXPECT_EQ(one("not json").json, "not json");
  EXPECT_EQ(one("{}\r").json, "{}");
  EXPECT_EQ(one("{\"open").json, "{\"open");
  EXPECT_EQ(one("\"a\"b\"").json, "\"a\"b\"");
  EXPECT_FALSE(ordered_json::accept(one("{\"v\":\"" + std::string(100, 'x')).json));
  // The next line is not harmed.
  const auto frames = split("{\"open\\\n{\"a\":\"b\"}\n", 3);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].json, "{\"a\":\"b\"}");
}

TEST(JsonLines, ALastLineMustBeWhole) {
  EXPECT_EQ(split("{\"a\":1}\n{\"b\":2}", 100).size(), 2u);
  EXPECT_EQ(split("{\"a\":1}\n{\"b\":\"2", 100).size(), 1u);
  EXPECT_EQ(split("{\"a\":1}\n{\"b\":\"" + std::string(100, 'x'), 7).size(), 1u);
  EXPECT_EQ(split("{\"a\":1}\n  ", 100).size(), 1u);
}

TEST(JsonLines, WhatFollowsAStopIsKept) {
  JsonLines lines;
  std::string seen;
  const auto stop = [&seen](Frame& frame) {
    seen += frame.json;
    return false;
  };
  EXPECT_EQ(lines.feed("1\n2\n3\n4\n5", stop), Status::stopped);
  EXPECT_EQ(seen, "1");
  EXPECT_EQ(lines.feed("", stop), Status::stopped);
  EXPECT_EQ(seen, "12");
  EXPECT_THROW(lines.feed("6", [](Frame&) -> bool { throw std::runtime_error("no"); }), std::runtime_error);
  std::string rest;
  while (auto frame = lines.finish()) rest += frame->json + ";";
  EXPECT_EQ(rest, "4;56;");
}

TEST(JsonLines, TooLong) {
  const auto all = [](Frame&) { return true; };
  for (const std::size_t step : {1u, 7u, 100'000u}) {
    for (const std::string& line :
         {std::string(5000, '1'), "[" + std::string(5000, ' ') + "]", "\"" + std::string(70'000, 'x') + "\"", [] {
            std::string many = "[";
            for (int i = 0; i < 1000; ++i) many += "\"abc\",";
            return many + "]";
          }()}) {
      JsonLines lines(kSmall);
      Status status = Status::ok;
      std::string_view rest = line;
      while (!rest.empty() && status == Status::ok) {
        status = lines.feed(rest.substr(0, step), all);
        rest.remove_prefix(std::min(step, rest.size()));
      }
      EXPECT_EQ(status, Status::too_long) << line.substr(0, 10);
      EXPECT_EQ(lines.feed("\n{}\n", all), Status::too_long);
      EXPECT_FALSE(lines.finish());
    }
  }
}

TEST(JsonLines, AFrameThatIsTooLongByItsLastString) {
  JsonLines lines(JsonLines::Limits{100, 50, 65536});
  EXPECT_EQ(lines.feed("\"" + std::string(80, 'x') + "\"\n", [](Frame&) { return true; }), Status::too_long);
}

TEST(JsonLines, R_F5_AnEchoedImageTwiceInOneLine) {
  const std::string bytes(3'000'000, '\x5a');
  const std::string text = base64_encode(bytes);
  const std::string line = "{\"a\":\"" + text + "\",\"b\":[\"" + text + "\"],\"c\":true}\n";
  const auto frames = split(line, 256 * 1024, JsonLines::Limits{});
  ASSERT_EQ(frames.size(), 1u);
  const auto doc = ordered_json::parse(frames[0].json);
  EXPECT_EQ(describe(frames[0], doc.at("a")), expected_base64(text, "", bytes));
  EXPECT_EQ(describe(frames[0], doc.at("b")[0]), expected_base64(text, "", bytes));
  EXPECT_LT(frames[0].json.size(), 300u);
  EXPECT_EQ(frames[0].line_length, line.size() - 1);
}

TEST(JsonLines, TextOfBase64IsNotHashedWhereNobodyWantsIt) {
  JsonLines::Limits limits = kSmall;
  limits.line_bytes = limits.frame_bytes = 1 << 20;
  const auto of = [](const std::string& text, const JsonLines::Limits& with, std::size_t step) {
    std::vector<Frame> frames = split("[\"" + text + "\"]\n", step, with);
    return frames.size() == 1 && frames[0].long_strings.size() == 1 ? frames[0].long_strings[0] : LongString{};
  };
  JsonLines::Limits without = limits;
  without.hash_base64_text = false;
  const std::string base64 = base64_encode(std::string(30'000, 'x')), letters(5000, 'a');
  struct Case {
    std::string text;
    bool hashed;
  };
  for (const auto& [text, hashed] :
       {Case{base64, false}, Case{letters + std::string(20'000, 'a') + "?", false},
        Case{"data:image/png;base64," + base64, false}, Case{letters + " not base64 any more", false},
        Case{"data:text/plain," + letters, true}, Case{"data:" + letters, true}, Case{"two words " + letters, true},
        Case{base64_encode("short, below a KiB"), true}, Case{"short, below a KiB", true}}) {
    for (const std::size_t step : {std::size_t{7}, std::size_t{1000}, text.size() + 5}) {
      const LongString full = of(text, limits, step), found = of(text, without, step);
      EXPECT_TRUE(full.has_sha256);
      EXPECT_EQ(full.sha256, sha256(text));
      EXPECT_EQ(found.has_sha256, hashed) << text.substr(0, 30);
      EXPECT_EQ(found.sha256, hashed ? full.sha256 : Digest{}) << text.substr(0, 30);
      EXPECT_EQ(found.length, text.size());
      EXPECT_EQ(found.is_base64, full.is_base64);
      EXPECT_EQ(found.media_type, full.media_type);
      EXPECT_EQ(found.decoded_size, full.decoded_size);
      EXPECT_EQ(found.decoded_sha256, full.decoded_sha256);
    }
  }
}

}  // namespace
}  // namespace attache::sdk
