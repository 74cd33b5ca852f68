// SPDX-License-Identifier: Apache-2.0
// A conversation with a shell script that plays the other side.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

class JsonRpc : public ::testing::Test {
 protected:
  JsonRpc() {
    std::string name = (std::filesystem::temp_directory_path() / "attache-rpc-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~JsonRpc() override { std::filesystem::remove_all(directory_); }

  /// `say` writes a line, `hear` keeps one that came.
  ChildProcess peer(const std::string& script) const {
    SpawnOptions options;
    options.executable = "/bin/sh";
    options.arguments = {
        "-c", "say() { printf '%s\\n' \"$1\"; }; hear() { read -r l; printf '%s\\n' \"$l\" >> heard; }; " + script};
    options.working_directory = directory_.string();
    return ChildProcess::spawn(options);
  }
  std::vector<Json> heard() const {
    std::vector<Json> out;
    std::ifstream in(directory_ / "heard");
    for (std::string line; std::getline(in, line);) out.push_back(Json::parse(line));
    return out;
  }
  std::filesystem::path directory_;
};

TEST_F(JsonRpc, ACallIsAnsweredByItsNumber) {
  ChildProcess process =
      peer(R"(hear; hear; say '{"id":2,"result":{"b":1}}'; say '{"id":1,"error":{"code":-3}}'; hear)");
  RpcPeer rpc(process, {});
  const std::uint64_t first = rpc.post({"one", R"({"x":1})"});
  const RpcMessage second = rpc.call("two");
  EXPECT_EQ(second.body, R"({"b":1})");
  EXPECT_FALSE(second.error);
  rpc.wait([&] { return rpc.replied(first); });
  const RpcMessage reply = rpc.take_reply(first);
  EXPECT_TRUE(reply.error);
  EXPECT_EQ(Json::parse(reply.body)["code"], -3);
  EXPECT_EQ(heard().at(0), Json::parse(R"({"jsonrpc":"2.0","id":1,"method":"one","params":{"x":1}})"));
}

TEST_F(JsonRpc, WithoutTheVersionMember) {
  ChildProcess process = peer(R"(hear; hear; say '{"id":1,"result":null}'; hear)");
  RpcOptions options;
  options.version_member = false;
  RpcPeer rpc(process, {}, options);
  rpc.notify("hello");
  rpc.call("one");
  EXPECT_EQ(heard().at(0), Json::parse(R"({"method":"hello"})"));
}

TEST_F(JsonRpc, NotificationsAndRequestsComeWhileACallIsWaitedFor) {
  ChildProcess process = peer(
      R"(hear; say '{"method":"note","params":[1]}'; say '{"id":"a","method":"ask"}'; say '{"id":7,"method":"other"}'; )"
      R"(hear; hear; say '{"id":1,"result":true}'; hear)");
  std::vector<std::string> notes;
  RpcHandlers handlers;
  handlers.on_notification = [&](const RpcMessage& note) { notes.push_back(note.method + note.body); };
  handlers.on_request = [](const RpcMessage& request) {
    return request.method == "ask" ? RpcAnswer{R"({"yes":1})"} : RpcAnswer{};
  };
  RpcPeer rpc(process, handlers);
  EXPECT_EQ(rpc.call("one").body, "true");
  EXPECT_EQ(notes, std::vector<std::string>{"note[1]"});
  ASSERT_EQ(heard().size(), 3u);
  EXPECT_EQ(heard()[1], Json::parse(R"({"jsonrpc":"2.0","id":"a","result":{"yes":1}})"));
  EXPECT_EQ(heard()[2]["id"], 7);
  EXPECT_EQ(heard()[2]["error"]["code"], -32601);
}

TEST_F(JsonRpc, NoiseIsToldAndSkipped) {
  ChildProcess process = peer(R"(hear; say 'Warning'; say '[1]'; say '{"id":9,"result":1}'; say '{"id":"1"}'; )"
                              R"(say '{"id":1,"result":1}'; say '{"id":1,"result":2}'; hear)");
  int noise = 0;
  RpcHandlers handlers;
  handlers.on_noise = [&] { ++noise; };
  RpcPeer rpc(process, handlers);
  EXPECT_EQ(rpc.call("one").body, "1");
  EXPECT_EQ(noise, 4);
}

TEST_F(JsonRpc, APayloadIsStreamedIntoTheParameters) {
  std::ofstream(directory_ / "file", std::ios::binary) << "bytes";
  ChildProcess process = peer(R"(hear; say '{"id":1,"result":1}'; hear)");
  RpcCall call;
  call.method = "take";
  FrameSlot slot{(directory_ / "file").string(), Encoding::base64, 5, sha256("bytes")};
  slot.before = "data:image/png;base64,";
  call.params = Json{{"url", call.payload.add(slot)}}.dump();
  std::vector<std::string> order;
  call.on_first_byte = [&] { order.emplace_back("first"); };
  call.on_written = [&] { order.emplace_back("written"); };
  RpcPeer rpc(process, {});
  const std::uint64_t number = rpc.post(std::move(call));
  EXPECT_TRUE(order.empty());
  rpc.wait([&] { return rpc.replied(number); });
  EXPECT_EQ(order, (std::vector<std::string>{"first", "written"}));
  EXPECT_EQ(heard().at(0)["params"]["url"], "data:image/png;base64,Ynl0ZXM=");
}

TEST_F(JsonRpc, ThePeerThatEndsIsSaid) {
  ChildProcess process = peer("hear; exit 3");
  RpcPeer rpc(process, {});
  try {
    rpc.call("one");
    FAIL();
  } catch (const RpcInterrupted& end) {
    EXPECT_EQ(end.why(), PumpEnd::exited);
  }
}

TEST_F(JsonRpc, ALastReplyWithoutALineEndCounts) {
  ChildProcess process = peer(R"(hear; printf '%s' '{"id":1,"result":5}')");
  RpcPeer rpc(process, {});
  EXPECT_EQ(rpc.call("one").body, "5");
}

TEST_F(JsonRpc, ThePeerThatIsSilentRunsOutOfTime) {
  ChildProcess process = peer("hear; hear");
  RpcPeer rpc(process, {});
  ChildProcess::Limits limits;
  limits.idle = std::chrono::milliseconds(100);
  rpc.set_limits(limits);
  try {
    rpc.call("one");
    FAIL();
  } catch (const RpcInterrupted& end) {
    EXPECT_EQ(end.why(), PumpEnd::idle);
  }
}

TEST_F(JsonRpc, ALineBeyondEveryLimitIsAFailure) {
  ChildProcess process = peer("hear; head -c 100000 /dev/zero | tr '\\0' 1; hear");
  RpcOptions options;
  options.lines.frame_bytes = 1000;
  RpcPeer rpc(process, {}, options);
  try {
    rpc.call("one");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.reason(), "frame_too_long");
  }
}

TEST(FrameSlotBefore, CountsAndIsWrittenOnce) {
  std::string name = (std::filesystem::temp_directory_path() / "attache-slot-XXXXXX").string();
  const std::filesystem::path directory = ::mkdtemp(name.data());
  std::ofstream(directory / "f", std::ios::binary) << "abc";
  for (const Encoding encoding : {Encoding::base64, Encoding::text}) {
    JsonFrame frame;
    FrameSlot slot{(directory / "f").string(), encoding, 3, sha256("abc")};
    slot.before = "data:text/plain;x,";
    frame.set_document(Json{{"v", frame.add(slot)}}.dump());
    const auto source = frame.source();
    std::string all;
    std::vector<char> buffer(9);
    while (const std::size_t count = source->read(buffer)) all.append(buffer.data(), count);
    EXPECT_EQ(all.size(), frame.encoded_size());
    EXPECT_EQ(Json::parse(all)["v"], encoding == Encoding::base64 ? "data:text/plain;x,YWJj" : "data:text/plain;x,abc");
  }
  JsonFrame frame;
  FrameSlot slot;
  slot.before = "a\"b";
  EXPECT_THROW(frame.add(slot), std::invalid_argument);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace attache::sdk
