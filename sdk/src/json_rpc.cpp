// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 256;
struct TooDeep {};

Json parse(const std::string& line) {
  const Json::parser_callback_t bounded = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) throw TooDeep{};
    return true;
  };
  try {
    return Json::parse(line, bounded);
  } catch (const Json::exception&) {
    return {};
  } catch (const TooDeep&) {
    return {};
  }
}

std::string text_of(const Json& message, const char* member) {
  const auto found = message.find(member);
  return found == message.end() ? "null" : found->dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The members before the parameters, with the opening brace.
std::string head(bool version_member, std::optional<std::uint64_t> number, std::string_view method) {
  Json out = Json::object();
  if (version_member) out["jsonrpc"] = "2.0";
  if (number) out["id"] = *number;
  out["method"] = method;
  std::string text = out.dump();
  text.pop_back();
  return text;
}

}  // namespace

/// Tells when the first byte of its message is about to leave.
class RpcPeer::Source : public ByteSource {
 public:
  Source(std::unique_ptr<ByteSource> bytes, std::function<void()> on_first)
      : bytes_(std::move(bytes)), on_first_(std::move(on_first)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = bytes_->read(buffer);
    if (const auto tell = std::exchange(on_first_, nullptr); tell && count != 0) tell();
    return count;
  }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::function<void()> on_first_;
};

RpcPeer::RpcPeer(ChildProcess& process, RpcHandlers handlers, const RpcOptions& options)
    : process_(process), handlers_(std::move(handlers)), options_(options), lines_(options.lines) {}

void RpcPeer::queue(std::string document, RpcCall call) {
  call.payload.set_document(std::move(document));
  queue_.push_back({std::move(call.payload), std::move(call.on_first_byte), std::move(call.on_written)});
}

void RpcPeer::notify(std::string_view method, std::string_view params) {
  std::string document = head(options_.version_member, std::nullopt, method);
  if (!params.empty()) document.append(",\"params\":").append(params);
  queue(document + "}", {});
}

std::uint64_t RpcPeer::post(RpcCall call) {
  const std::uint64_t number = ++last_number_;
  std::string document = head(options_.version_member, number, call.method) + ",\"params\":" + call.params + "}";
  queue(std::move(document), std::move(call));
  waiting_.insert(number);
  return number;
}

RpcMessage RpcPeer::take_reply(std::uint64_t number) {
  return std::move(replies_.extract(number).mapped());
}

RpcMessage RpcPeer::call(std::string_view method, std::string_view params) {
  const std::uint64_t number = post({std::string(method), std::string(params)});
  wait([&] { return replied(number); });
  return take_reply(number);
}

void RpcPeer::write_next() {
  if (writing_ || broken_ || queue_.empty()) return;
  Outgoing next = std::move(queue_.front());
  queue_.pop_front();
  on_written_ = std::move(next.on_written);
  writing_ = true;
  process_.send(std::make_unique<Source>(next.frame.source(), std::move(next.on_first_byte)));
}

bool RpcPeer::written(const WriteState& state) {
  broken_ = broken_ || state.broken;
  if (!state.complete) return true;
  writing_ = false;
  if (const auto tell = std::exchange(on_written_, nullptr)) tell();
  write_next();
  return true;
}

void RpcPeer::take(Frame& frame) {
  const Json message = parse(frame.json);
  RpcMessage out;
  const auto id = message.is_object() ? message.find("id") : message.end();
  const auto method = message.is_object() ? message.find("method") : message.end();
  const bool has_id = message.is_object() && id != message.end();
  if (message.is_object() && method != message.end() && method->is_string()) {
    out.method = method->get<std::string>();
    out.body = text_of(message, "params");
    if (has_id) out.id = id->dump();
    out.frame = std::move(frame);
    if (has_id) return answer(out);
    if (handlers_.on_notification) handlers_.on_notification(out);
    return;
  }
  if (!has_id || !id->is_number_unsigned() || waiting_.erase(id->get<std::uint64_t>()) == 0) {
    if (handlers_.on_noise) handlers_.on_noise();
    return;
  }
  out.id = id->dump();
  out.error = message.contains("error");
  out.body = text_of(message, out.error ? "error" : "result");
  out.frame = std::move(frame);
  replies_.emplace(id->get<std::uint64_t>(), std::move(out));
}

void RpcPeer::answer(const RpcMessage& request) {
  const RpcAnswer said = handlers_.on_request ? handlers_.on_request(request) : RpcAnswer{};
  std::string document = options_.version_member ? R"({"jsonrpc":"2.0","id":)" : R"({"id":)";
  document += request.id;
  if (said.result.empty()) {
    document += ",\"error\":" + Json{{"code", said.code}, {"message", said.message}}.dump() + "}";
  } else {
    document += ",\"result\":" + said.result + "}";
  }
  queue(std::move(document), {});
}

void RpcPeer::wait(const std::function<bool()>& done) {
  const std::function<bool(Frame&)> each = [&](Frame& frame) {
    take(frame);
    write_next();
    return !done();
  };
  const auto feed = [&](std::string_view bytes) {
    if (lines_.feed(bytes, each) == JsonLines::Status::too_long) {
      throw Failure(Status::provider_failed, "frame_too_long", "the provider wrote a frame beyond every limit");
    }
    return !done();
  };
  if (done() || !feed({})) return;
  write_next();
  ChildProcess::Handlers on;
  on.on_stdout = feed;
  on.on_stderr = [this](std::string_view chunk) {
    if (handlers_.on_stderr) handlers_.on_stderr(chunk);
    return true;
  };
  on.on_written = [this, &done](const WriteState& state) { return written(state) && !done(); };
  const PumpEnd end = process_.pump(on, limits_);
  if (end != PumpEnd::stopped) finish(end, done);
}

void RpcPeer::finish(PumpEnd end, const std::function<bool()>& done) {
  while (end == PumpEnd::exited || end == PumpEnd::outputs_closed) {
    std::optional<Frame> last = lines_.finish();
    if (!last) break;
    take(*last);
    if (done()) return;
  }
  throw RpcInterrupted(end);
}

}  // namespace attache::sdk
