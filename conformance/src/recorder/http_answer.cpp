// SPDX-License-Identifier: Apache-2.0
#include "recorder/http_answer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::conformance {
namespace {

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string head(int status, const Json& headers, std::string_view type, std::string_view framing, bool keep_alive) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{}\r\nConnection: {}\r\n", status,
                                 status < 400 ? "OK" : "Error", type, framing, keep_alive ? "keep-alive" : "close");
  for (const auto& header : headers.items()) {
    text += fmt::format("{}: {}\r\n", header.key(), header.value().get<std::string>());
  }
  return text + "\r\n";
}

/// Writes until a number of bytes is used up, then pretends that the connection broke.
class CutWriter {
 public:
  CutWriter(const AnswerSink& sink, const Json& response) : sink_(sink) {
    if (const auto cut = response.find("cut_bytes"); cut != response.end()) {
      left_ = cut->get<std::size_t>();
      cuts_ = true;
    }
  }
  bool write(std::string_view bytes) {
    if (!cuts_) {
      return sink_.write(bytes);
    }
    const std::size_t count = std::min(left_, bytes.size());
    left_ -= count;
    return sink_.write(bytes.substr(0, count)) && count == bytes.size();
  }

 private:
  const AnswerSink& sink_;
  std::size_t left_ = 0;
  bool cuts_ = false;
};

AnswerEnd respond(const Json& response, const Json* frame, Variables& variables, bool keep_alive,
                  const AnswerSink& sink) {
  CutWriter out(sink, response);
  const int status = response.at("status").get<int>();
  const Json headers = variables.fill(response.value("headers", Json::object()), frame);
  const auto end = [&](bool whole) { return whole && keep_alive ? AnswerEnd::keep : AnswerEnd::close; };
  if (response.contains("json")) {
    const std::string body = dump(variables.fill(response.at("json"), frame));
    return end(out.write(head(status, headers, "application/json", fmt::format("Content-Length: {}", body.size()),
                              keep_alive)) &&
               out.write(body));
  }
  if (!out.write(head(status, headers, "text/event-stream", "Transfer-Encoding: chunked", keep_alive))) {
    return AnswerEnd::close;
  }
  const auto gap = response.value("gap_ms", std::int64_t{0});
  for (const Json& event : response.at("events")) {
    const std::string name = event.value("event", "");
    const std::string text =
        (name.empty() ? "" : "event: " + name + "\n") + "data: " +
        (event.at("data").is_string() ? variables.fill_text(event.at("data").get<std::string>(), frame)
                                      : dump(variables.fill(event.at("data"), frame))) +
        "\n\n";
    if (!out.write(fmt::format("{:x}\r\n{}\r\n", text.size(), text)) || (gap > 0 && !sink.wait(gap))) {
      return AnswerEnd::close;
    }
  }
  return end(out.write("0\r\n\r\n"));
}

}  // namespace

AnswerEnd answer_turn(const Json& steps, const Json* frame, Variables& variables, bool keep_alive,
                      const AnswerSink& sink) {
  for (const Json& step : steps) {
    if (!variables.holds(step, frame)) {
      continue;
    }
    if (step.contains("response")) {
      return respond(step.at("response"), frame, variables, keep_alive, sink);
    }
    if (step.contains("close") || (step.contains("hang") && !sink.wait(-1)) ||
        (step.contains("delay_ms") && !sink.wait(step.at("delay_ms").get<std::int64_t>()))) {
      return AnswerEnd::close;
    }
  }
  return AnswerEnd::close;
}

AnswerEnd answer_fixed(int status, const Json& body, bool with_body, bool keep_alive, const AnswerSink& sink) {
  const std::string text = body.is_null() || !with_body ? std::string() : dump(body);
  const bool sent = sink.write(head(status, Json::object(), "application/json",
                                    fmt::format("Content-Length: {}", text.size()), keep_alive)) &&
                    sink.write(text);
  return sent && keep_alive ? AnswerEnd::keep : AnswerEnd::close;
}

}  // namespace attache::conformance
