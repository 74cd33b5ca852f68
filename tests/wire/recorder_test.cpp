// SPDX-License-Identifier: Apache-2.0
// The recorder, spoken to over plain sockets.
#include "recorder/recorder.hpp"

#include <fstream>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

#include "canary/canary.hpp"
#include "wire_support.hpp"

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;

class Socket {
 public:
  explicit Socket(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(descriptor_); }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ASSERT_GT(count, 0);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void shut() { ::shutdown(descriptor_, SHUT_WR); }
  /// Everything up to and with `end`, or to the end of the connection.
  std::string receive_until(const std::string& end) {
    while (buffer_.find(end) == std::string::npos && more()) {
    }
    const std::size_t at = buffer_.find(end);
    std::string out = buffer_.substr(0, at == std::string::npos ? at : at + end.size());
    buffer_.erase(0, out.size());
    return out;
  }
  std::string receive_all() {
    while (more()) {
    }
    return std::exchange(buffer_, {});
  }
  /// A response with Content-Length: head and body.
  std::string response() {
    std::string head = receive_until("\r\n\r\n");
    const std::size_t at = head.find("Content-Length: ");
    const std::size_t length = at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
    while (buffer_.size() < length && more()) {
    }
    head += buffer_.substr(0, length);
    buffer_.erase(0, length);
    return head;
  }

 private:
  bool more() {
    char piece[4096];
    const ssize_t count = ::recv(descriptor_, piece, sizeof piece, 0);
    if (count > 0) {
      buffer_.append(piece, static_cast<std::size_t>(count));
    }
    return count > 0;
  }
  int descriptor_;
  std::string buffer_;
};

std::string body_of(const std::string& data, bool stream = false) {
  return std::string(R"({"model":"m-7","max_tokens":9,)") + std::string(stream ? R"("stream":true,)" : "") +
         R"("messages":[{"role":"user","content":[{"type":"text","text":"t"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
         data + R"("}}]}]})";
}

std::string post(const std::string& body, const std::string& headers = {}) {
  return fmt::format(
      "POST /v1/messages?beta=true HTTP/1.1\r\nHost: x\r\nX-Api-Key: sk-secret\r\nAuthorization: Bearer "
      "tok\r\nAnthropic-Version: 2023-06-01\r\n{}Content-Length: {}\r\n\r\n{}",
      headers, body.size(), body);
}

class RecorderTest : public testing::Test {
 protected:
  std::unique_ptr<Recorder> start(const std::string& scenario) {
    return std::make_unique<Recorder>(folder_ / scenario, dialect_, scenario);
  }
  TempFolder folder_;
  Dialect dialect_ = shipped_dialect("anthropic-messages");
};

TEST_F(RecorderTest, AWholeAnswerAndTheRequestAsItCame) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  socket.send(post(body_of("QUJD")));
  const std::string answer = socket.response();
  const Json body = Json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  EXPECT_EQ(body["content"][0]["text"], dialect_.scenario("ok")->expect.text);
  EXPECT_EQ(body["model"], "m-7");
  const auto captures = recorder->captures();
  ASSERT_EQ(captures.size(), 1u);
  EXPECT_EQ(captures[0].target, "POST /v1/messages?beta=true");
  EXPECT_EQ(read_file(captures[0].stdin_file), body_of("QUJD"));
  EXPECT_TRUE(captures[0].stdin_closed);
  EXPECT_EQ(captures[0].turns.at(0).items.at(1).sha256, sdk::sha256("ABC"));
}

TEST_F(RecorderTest, NoCredentialIsStored) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  std::string request = post(body_of("QUJD"));
  request.replace(request.find("?beta=true"), 10, "?a=1&api_key=zzz-secret&b=2");
  socket.send(request);
  socket.response();
  const Capture seen = recorder->captures().at(0);
  const std::string start = read_file(seen.stdin_file.parent_path() / "start.json");
  for (const char* secret : {"sk-secret", "Bearer tok", "zzz-secret"}) {
    EXPECT_EQ(start.find(secret), std::string::npos) << secret;
  }
  EXPECT_EQ(seen.target,
            std::string("POST /v1/messages?a=1&api_key=sha256:") + sdk::to_hex(sdk::sha256("zzz-secret")) + "&b=2");
  for (const CapturedHeader& header : seen.headers) {
    if (header.name == "x-api-key") {
      EXPECT_EQ(header.value, std::string("sha256:") + sdk::to_hex(sdk::sha256("sk-secret")));
    }
    if (header.name == "anthropic-version") {
      EXPECT_EQ(header.value, "2023-06-01");
    }
  }
  EXPECT_EQ(seen.headers.size(), 5u);
}

TEST_F(RecorderTest, AStreamHasItsEventsInOrder) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  socket.send(post(body_of("QUJD", true), "Connection: close\r\n"));
  const std::string answer = socket.receive_all();
  std::size_t at = 0;
  for (const char* event :
       {"text/event-stream", "event: message_start", "content_block_start", "event: ping", "event: content_block_delta",
        "event: content_block_stop", "event: message_delta", "event: message_stop", "\r\n0\r\n\r\n"}) {
    at = answer.find(event, at);
    ASSERT_NE(at, std::string::npos) << event;
  }
}

TEST_F(RecorderTest, ChunkedBodiesInSplitWrites) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  const std::string body = body_of("QUJDREVG");
  socket.send("POST /v1/messages HTTP/1.1\r\nHo");
  socket.send("st: x\r\nTransfer-Encoding: chunked\r\n");
  socket.send("\r\n");
  for (std::size_t at = 0; at < body.size(); at += 7) {
    const std::string piece = body.substr(at, 7);
    socket.send(fmt::format("{:x}\r", piece.size()));
    socket.send(std::string("\n") + piece.substr(0, 3));
    socket.send(piece.substr(std::min<std::size_t>(3, piece.size())) + "\r\n");
  }
  socket.send("0\r\n\r\n");
  EXPECT_EQ(socket.response().substr(0, 15), "HTTP/1.1 200 OK");
  const Capture seen = recorder->captures().at(0);
  EXPECT_EQ(read_file(seen.stdin_file), body);
  EXPECT_EQ(seen.turns.at(0).items.at(1).sha256, sdk::sha256("ABCDEF"));
}

TEST_F(RecorderTest, TwoRequestsOnOneConnection) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  socket.send(std::string("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n") + post(body_of("QQ==")) + post(body_of("Qg==")));
  EXPECT_EQ(socket.response().substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(socket.response().substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(socket.response().substr(0, 12), "HTTP/1.1 200");
  const auto captures = recorder->captures();
  ASSERT_EQ(captures.size(), 3u);
  EXPECT_EQ(captures[0].target, "HEAD /");
  EXPECT_EQ(captures[1].turns.at(0).items.at(1).sha256, sdk::sha256("A"));
  EXPECT_EQ(captures[2].turns.at(0).items.at(1).sha256, sdk::sha256("B"));
  EXPECT_EQ(recorder->connections(), 1u);
}

TEST_F(RecorderTest, RefusalsHaveTheirStatus) {
  for (const auto& [scenario, status] :
       {std::pair{"refuse", "400"}, std::pair{"unauthorized", "401"}, std::pair{"too_large", "413"},
        std::pair{"rate_limited", "429"}, std::pair{"overloaded", "529"}}) {
    const auto recorder = start(scenario);
    Socket socket(recorder->port());
    socket.send(post(body_of("QUJD", true)));
    const std::string answer = socket.response();
    EXPECT_EQ(answer.substr(9, 3), status);
    EXPECT_EQ(Json::parse(answer.substr(answer.find("\r\n\r\n") + 4))["type"], "error");
  }
}

TEST_F(RecorderTest, AnUnknownRequestIs404AndRecorded) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  socket.send("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(socket.response().substr(9, 3), "404");
  EXPECT_EQ(recorder->captures().at(0).target, "GET /v1/models");
}

TEST_F(RecorderTest, CutAndCloseBreakTheConnection) {
  const auto cut = start("cut");
  Socket first(cut->port());
  first.send(post(body_of("QUJD", true)));
  EXPECT_EQ(first.receive_all().size(), 400u);
  const auto close = start("close");
  Socket second(close->port());
  second.send(post(body_of("QUJD", true)));
  EXPECT_EQ(second.receive_all(), "");
}

TEST_F(RecorderTest, ABodyThatBreaksOffIsRecordedAsUnfinished) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  const std::string request = post(body_of("QUJD"));
  socket.send(request.substr(0, request.size() - 10));
  socket.shut();
  EXPECT_EQ(socket.receive_all(), "");
  const Capture seen = recorder->captures().at(0);
  EXPECT_FALSE(seen.stdin_closed);
  EXPECT_EQ(seen.stdin_bytes, body_of("QUJD").size() - 10);
}

TEST_F(RecorderTest, AHangingAnswerDoesNotKeepTheRecorderFromEnding) {
  auto recorder = start("hang");
  Socket socket(recorder->port());
  socket.send(post(body_of("QUJD")));
  recorder.reset();
  EXPECT_EQ(socket.receive_all(), "");
}

TEST_F(RecorderTest, AGiantBodyIsHashedInBoundedMemory) {
  const auto recorder = start("ok");
  Socket socket(recorder->port());
  const std::string bytes = Random(12).bytes(3u << 20u);
  const std::string piece = sdk::base64_encode(bytes);
  constexpr std::size_t times = 24;
  sdk::Sha256 hash;
  for (std::size_t i = 0; i < times; ++i) {
    hash.update(bytes);
  }
  const std::string whole = body_of("@");
  const std::string before = whole.substr(0, whole.find('@'));
  const std::string after = whole.substr(whole.find('@') + 1);
  const auto peak_kib = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long peak_before = peak_kib();
  socket.send(fmt::format("POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
                          before.size() + piece.size() * times + after.size()));
  socket.send(before);
  for (std::size_t i = 0; i < times; ++i) {
    socket.send(piece);
  }
  socket.send(after);
  EXPECT_EQ(socket.response().substr(0, 15), "HTTP/1.1 200 OK");
  const CapturedItem item = recorder->captures().at(0).turns.at(0).items.at(1);
  EXPECT_EQ(item.size, bytes.size() * times);
  EXPECT_EQ(item.sha256, hash.finish());
  EXPECT_LT(peak_kib() - peak_before, 32 * 1024) << "96 MiB went through";
}

TEST_F(RecorderTest, WrongDialectOrScenarioIsRefused) {
  EXPECT_THROW(start("no-such"), std::invalid_argument);
  EXPECT_THROW(Recorder(folder_ / "x", shipped_dialect("claude-stream-json"), "ok"), std::invalid_argument);
}

}  // namespace
}  // namespace attache::conformance
