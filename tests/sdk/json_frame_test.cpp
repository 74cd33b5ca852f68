// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_frame.hpp>

namespace attache::sdk {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

class JsonFrameTest : public ::testing::Test {
 protected:
  JsonFrameTest() {
    std::string name = (fs::temp_directory_path() / "attache-frame-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~JsonFrameTest() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  FrameSlot file(const std::string& name, const std::string& bytes, Encoding encoding = Encoding::base64) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return {path(name), encoding, bytes.size(), sha256(bytes)};
  }

  static FileIdentity identity_of(const std::string& file) {
    struct stat info {};
    EXPECT_EQ(::stat(file.c_str(), &info), 0);
    return {info.st_dev, info.st_ino, info.st_ctim.tv_sec * std::int64_t{1'000'000'000} + info.st_ctim.tv_nsec};
  }

  static std::string drain(ByteSource& source, std::size_t step) {
    std::string all;
    std::vector<char> buffer(step);
    while (const std::size_t count = source.read(buffer)) {
      EXPECT_LE(count, step);
      all.append(buffer.data(), count);
    }
    EXPECT_EQ(source.read(buffer), 0u);
    return all;
  }

  static JsonFrame framed(const FrameSlot& slot) {
    JsonFrame frame;
    const std::string marker = frame.add(slot);
    frame.set_document(ordered_json{{"v", marker}}.dump());
    return frame;
  }

  /// The reason, and what was handed out until then.
  static std::pair<std::string, std::string> failure(const JsonFrame& frame) {
    std::string all;
    try {
      const auto source = frame.source();
      std::vector<char> buffer(4096);
      while (const std::size_t count = source->read(buffer)) all.append(buffer.data(), count);
    } catch (const FrameError& error) {
      EXPECT_EQ(std::string(error.what()).find('/'), std::string::npos);
      return {error.reason(), all};
    }
    return {"none", all};
  }

  fs::path directory_;
};

std::string random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST_F(JsonFrameTest, ValuesComeOutAsTheyWentInWithEveryBufferSize) {
  const std::string picture = random_bytes(1000);
  std::string text = "\"quotes\" \\ / \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\n\r\t\b\f";
  for (int i = 0; i < 32; ++i) text += static_cast<char>(i);
  JsonFrame frame;
  const std::string second = frame.add(file("t", text, Encoding::text));
  const std::string first = frame.add(file("p", picture));
  const std::string empty = frame.add(file("e", ""));
  frame.set_document(ordered_json{{"type", "user"}, {"list", {first, second}}, {"empty", empty}, {"end", true}}.dump());
  const std::string whole = drain(*frame.source(), 100'000);
  EXPECT_EQ(frame.encoded_size(), whole.size());
  EXPECT_EQ(whole.find('\n'), whole.size() - 1);
  EXPECT_TRUE(whole.starts_with("{\"type\":\"user\",\"list\":[\""));
  const auto doc = ordered_json::parse(whole);
  EXPECT_EQ(doc.at("list")[0], base64_encode(picture));
  EXPECT_EQ(doc.at("list")[1], text);
  EXPECT_EQ(doc.at("empty"), "");
  for (std::size_t step = 1; step < 64; ++step) ASSERT_EQ(drain(*frame.source(), step), whole) << step;
}

TEST_F(JsonFrameTest, OnlyWhatJsonNeedsIsEscaped) {
  const std::string text = "/ <&' \xc3\xa4 \xe2\x80\xa8 \x7f";
  EXPECT_EQ(drain(*framed(file("t", text, Encoding::text)).source(), 100), "{\"v\":\"" + text + "\"}\n");
}

TEST_F(JsonFrameTest, R_F8_SizesAroundTheBlocks) {
  for (const std::size_t size : {81u, 82u, 83u, 10'000u, 196'607u, 196'608u, 196'609u, 500'000u}) {
    const std::string bytes = random_bytes(size);
    const JsonFrame frame = framed(file("f", bytes));
    const std::string whole = drain(*frame.source(), 262'144);
    EXPECT_EQ(whole, "{\"v\":\"" + base64_encode(bytes) + "\"}\n");
    EXPECT_EQ(frame.encoded_size(), whole.size());
  }
}

TEST_F(JsonFrameTest, TextAcrossTheBlocks) {
  std::string text;
  while (text.size() < 600'000) text += "a\xe2\x82\xac\n\"\x01";
  const JsonFrame frame = framed(file("t", text, Encoding::text));
  const std::string whole = drain(*frame.source(), 1000);
  EXPECT_EQ(ordered_json::parse(whole).at("v"), text);
  EXPECT_EQ(frame.encoded_size(), whole.size());
}

TEST_F(JsonFrameTest, R_F10_OnlyStrictUtf8IsText) {
  const std::string wrong[] = {"\xff",
                               "a\x80",
                               "\xc0\xaf",
                               "\xe0\x80\x80",
                               "\xed\xa0\x80",
                               "\xf4\x90\x80\x80",
                               "\xf5\x80\x80\x80",
                               "\xe2\x82",
                               "\xe2\x82z",
                               "\xc3",
                               std::string(196'607, 'a') + "\xe2"};
  for (const std::string& text : wrong) {
    const JsonFrame frame = framed(file("t", text, Encoding::text));
    EXPECT_EQ(failure(frame).first, "not_utf8");
    EXPECT_THROW(frame.encoded_size(), FrameError);
  }
  const std::string right[] = {"\xc2\x80",         "\xe0\xa0\x80",     "\xed\x9f\xbf", "\xee\x80\x80",
                               "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xef\xbb\xbf", std::string(1, '\0')};
  for (const std::string& text : right) EXPECT_EQ(failure(framed(file("t", text, Encoding::text))).first, "none");
}

TEST_F(JsonFrameTest, AChangedFileIsFoundBeforeItsLastByte) {
  for (const std::size_t size : {1u, 1000u, 196'608u, 400'000u}) {
    const std::string bytes = random_bytes(size);
    for (const Encoding encoding : {Encoding::base64, Encoding::text}) {
      const std::string content = encoding == Encoding::text ? std::string(size, 'x') : bytes;
      const FrameSlot slot = file("f", content, encoding);
      const std::uint64_t length = framed(slot).encoded_size();
      std::string other = content;
      other.front() = 'y';
      std::ofstream(slot.path, std::ios::binary) << other;
      const auto [reason, seen] = failure(framed(slot));
      EXPECT_EQ(reason, "digest_changed");
      EXPECT_LT(seen.size(), length - 3);
      std::ofstream(slot.path, std::ios::binary) << content << "more";
      EXPECT_EQ(failure(framed(slot)).first, "size_changed");
      std::ofstream(slot.path, std::ios::binary) << content.substr(1);
      // Seen when it is opened: nothing of the line goes out.
      EXPECT_EQ(failure(framed(slot)), std::make_pair(std::string("size_changed"), std::string()));
    }
  }
}

TEST_F(JsonFrameTest, AFileThatChangesWhileItIsStreamed) {
  const std::string bytes = random_bytes(400'000);
  for (const bool grows : {true, false}) {
    const FrameSlot slot = file("f", bytes);
    const JsonFrame frame = framed(slot);
    const auto source = frame.source();
    std::vector<char> buffer(4096);
    ASSERT_GT(source->read(buffer), 0u);
    fs::resize_file(slot.path, grows ? bytes.size() + 1 : bytes.size() - 1);
    try {
      while (source->read(buffer) != 0) continue;
      ADD_FAILURE() << "the change was not found";
    } catch (const FrameError& error) {
      EXPECT_EQ(error.reason(), "size_changed");
    }
  }
}

TEST_F(JsonFrameTest, AFileOfItsIdentityIsNotHashedAgain) {
  for (const Encoding encoding : {Encoding::base64, Encoding::text}) {
    const std::string content(400'000, 'x');
    FrameSlot slot = file("f", content, encoding);
    slot.identity = identity_of(slot.path);
    const std::string line = drain(*framed(slot).source(), 4096);
    EXPECT_EQ(ordered_json::parse(line).at("v"), encoding == Encoding::text ? content : base64_encode(content));
    // Only who hashes sees this.
    slot.sha256[0] ^= 1;
    EXPECT_EQ(failure(framed(slot)).first, "none");
    slot.identity.reset();
    EXPECT_EQ(failure(framed(slot)).first, "digest_changed");
  }
}

TEST_F(JsonFrameTest, AFileOfAnotherIdentityIsHashed) {
  FrameSlot slot = file("f", "content");
  const FileIdentity right = identity_of(slot.path);
  slot.sha256[0] ^= 1;
  FileIdentity device = right, inode = right, changed = right;
  ++device.device;
  ++inode.inode;
  --changed.changed_ns;
  for (const FileIdentity& wrong : {device, inode, changed}) {
    slot.identity = wrong;
    EXPECT_EQ(failure(framed(slot)).first, "digest_changed");
  }
  slot.sha256[0] ^= 1;
  EXPECT_EQ(failure(framed(slot)).first, "none");
}

TEST_F(JsonFrameTest, AFileOfItsIdentityThatChangesWhileItIsStreamed) {
  const std::string bytes = random_bytes(400'000);
  FrameSlot slot = file("f", bytes);
  slot.identity = identity_of(slot.path);
  const JsonFrame frame = framed(slot);
  const std::uint64_t length = frame.encoded_size();
  const auto source = frame.source();
  std::string seen(4096, '\0');
  ASSERT_EQ(source->read(seen), seen.size());
  // The size stays the same. On a coarse clock one change may not show; then the next one does.
  { std::fstream(slot.path, std::ios::binary | std::ios::in | std::ios::out) << 'y'; }
  while (identity_of(slot.path) == *slot.identity) ASSERT_EQ(::chmod(slot.path.c_str(), 0600), 0);
  std::string reason = "none";
  try {
    std::vector<char> buffer(4096);
    while (const std::size_t count = source->read(buffer)) seen.append(buffer.data(), count);
  } catch (const FrameError& error) {
    reason = error.reason();
  }
  EXPECT_EQ(reason, "file_changed");
  EXPECT_LT(seen.size(), length - 3);
}

TEST_F(JsonFrameTest, OnlyRegularFilesAreOpened) {
  FrameSlot slot = file("f", "content");
  fs::create_symlink(slot.path, path("link"));
  slot.path = path("link");
  EXPECT_EQ(failure(framed(slot)).first, "open_failed");
  slot.path = path("missing");
  EXPECT_EQ(failure(framed(slot)).first, "open_failed");
  slot.path = directory_.string();
  EXPECT_EQ(failure(framed(slot)).first, "open_failed");
  slot.path = path("pipe");
  ASSERT_EQ(::mkfifo(slot.path.c_str(), 0600), 0);
  EXPECT_EQ(failure(framed(slot)).first, "open_failed");
}

TEST_F(JsonFrameTest, TheErrorNamesTheSlot) {
  JsonFrame frame;
  const std::string first = frame.add(file("a", "a"));
  const std::string second = frame.add({path("missing"), Encoding::base64, 1, {}});
  frame.set_document(ordered_json{second, first}.dump());
  try {
    drain(*frame.source(), 100);
    ADD_FAILURE();
  } catch (const FrameError& error) {
    EXPECT_EQ(error.slot(), 1u);
  }
}

TEST_F(JsonFrameTest, EachMarkerStandsOnceAsAWholeString) {
  JsonFrame frame;
  EXPECT_THROW(frame.source(), std::logic_error);
  const std::string marker = frame.add(file("a", "a"));
  const std::string foreign = JsonFrame().add({});
  EXPECT_NE(marker, foreign);
  const std::string whole = "\"" + marker + "\"";
  for (const std::string& document :
       {std::string("{}"), "[" + whole + "," + whole + "]", "[\"x" + marker + "\"]", "[\"" + marker + "x\"]",
        "[\"\\\"" + marker + "\"]", "[\"\\\"" + marker + "\\\"\"]", marker, "[\"" + marker + "1\"]",
        "[" + whole + ",\"" + marker.substr(0, marker.size() - 1) + "1\"]", "[" + whole + ",\n1]",
        "[\"" + foreign + "\"]", "\"" + marker}) {
    EXPECT_THROW(frame.set_document(document), std::invalid_argument) << document;
    EXPECT_THROW(frame.source(), std::logic_error);
  }
  frame.set_document("[" + whole + ",\"" + foreign + "\"]");
  EXPECT_EQ(drain(*frame.source(), 1000), "[\"YQ==\",\"" + foreign + "\"]\n");
  frame.set_document(whole);
  EXPECT_EQ(drain(*frame.source(), 1000), "\"YQ==\"\n");
  frame.add(file("b", "b"));
  EXPECT_THROW(frame.source(), std::logic_error);
}

TEST_F(JsonFrameTest, ManySlotsAndAFrameThatIsGone) {
  JsonFrame frame;
  ordered_json list = ordered_json::array();
  for (int i = 0; i < 12; ++i)
    list.push_back(frame.add(file(std::to_string(i), std::string(1, static_cast<char>('a' + i)))));
  frame.set_document(list.dump());
  auto source = frame.source();
  frame = JsonFrame();
  EXPECT_EQ(ordered_json::parse(drain(*source, 5)).at(11), base64_encode("l"));
}

}  // namespace
}  // namespace attache::sdk
