// SPDX-License-Identifier: Apache-2.0
#include "recorder/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/sha256.hpp>

#include "recorder/http_answer.hpp"
#include "wire/record_file.hpp"
#include "wire/records.hpp"

namespace attache::conformance {
namespace {

namespace http = boost::beast::http;
using tcp = boost::asio::ip::tcp;
using boost::system::error_code;
using Parser = http::request_parser<http::buffer_body>;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return text;
}

bool is_secret(const std::string& name) {
  for (const char* part : {"auth", "key", "cookie", "token", "secret"}) {
    if (name.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

/// The target with the values of query parameters that may authorize replaced.
std::string safe_target(const std::string& target) {
  const std::size_t query = target.find('?');
  if (query == std::string::npos) {
    return target;
  }
  std::string out = target.substr(0, query);
  char before = '?';
  for (std::size_t at = query + 1; at <= target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::string parameter = target.substr(at, end - at);
    const std::string name = parameter.substr(0, parameter.find('='));
    out += before + (is_secret(lower(name))
                         ? name + "=sha256:" +
                               sdk::to_hex(sdk::sha256(parameter.substr(std::min(parameter.size(), name.size() + 1))))
                         : parameter);
    before = '&';
    at = end + 1;
  }
  return out;
}

Json start_of(const Parser& parser) {
  const auto& request = parser.get();
  Json headers = Json::array();
  for (const auto& field : request) {
    const std::string name = lower(std::string(field.name_string()));
    std::string value(field.value());
    if (is_secret(name)) {
      value = "sha256:" + sdk::to_hex(sdk::sha256(value));
    }
    headers.push_back(Json{{"name", name}, {"value", value}});
  }
  return Json{{"target", std::string(request.method_string()) + " " + safe_target(std::string(request.target()))},
              {"headers", headers}};
}

}  // namespace

struct Recorder::Impl {
  Impl(const std::filesystem::path& directory, const Dialect& wanted, const std::string& scenario, std::uint16_t port)
      : records(directory / "records"), dialect(wanted), acceptor(context) {
    const auto answer = dialect.impl().answers.find(scenario);
    if (dialect.transport() != "http" || answer == dialect.impl().answers.end()) {
      throw std::invalid_argument("dialect " + dialect.id() + " has no http answer \"" + scenario + "\"");
    }
    steps = &answer->second.turn.get();
    std::filesystem::create_directories(records);
    const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), port);
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
    bound = acceptor.local_endpoint().port();
    accept_next();
    accepting = std::thread([this] { context.run(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
      changed.notify_all();
      for (auto& connection : connections) {
        error_code ignored;
        connection.socket.shutdown(tcp::socket::shutdown_both, ignored);
      }
    }
    context.stop();
    accepting.join();
    for (auto& connection : connections) {
      connection.thread.join();
    }
  }

  void accept_next() {
    acceptor.async_accept([this](error_code failed, tcp::socket socket) {
      if (failed) {
        return;
      }
      const std::lock_guard lock(mutex);
      if (stopping) {
        return;
      }
      ++accepted;
      connections.emplace_back(std::move(socket));
      Connection& connection = connections.back();
      connection.thread = std::thread([this, &connection] { talk(connection.socket); });
      accept_next();
    });
  }

  void talk(tcp::socket& socket) {
    boost::beast::flat_buffer buffer;
    error_code ignored;
    try {
      while (one_request(socket, buffer)) {
      }
    } catch (const std::exception&) {  // the record cannot be written: the client sees a broken connection
      failures.fetch_add(1);
    }
    socket.shutdown(tcp::socket::shutdown_both, ignored);
  }

  bool one_request(tcp::socket& socket, boost::beast::flat_buffer& buffer) {
    Parser parser;
    parser.header_limit(64 * 1024);
    parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // "none" refuses every Content-Length in Boost 1.74
    error_code failed;
    http::read_header(socket, buffer, parser, failed);
    if (failed) {
      return false;
    }
    RecordWriter record(records);
    record.start(start_of(parser).dump(-1, ' ', false, Json::error_handler_t::replace));
    if (lower(std::string(parser.get()[http::field::expect])) == "100-continue") {
      write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
    }
    const Json frame = read_body(socket, buffer, parser, record);
    const bool keep = parser.is_done() && answer(socket, parser, frame) == AnswerEnd::keep;
    record.event("finished");
    return keep;
  }

  /// Streams the body to the record; returns it parsed, without its long strings, or null.
  Json read_body(tcp::socket& socket, boost::beast::flat_buffer& buffer, Parser& parser, RecordWriter& record) {
    sdk::JsonLines lines;
    std::string shrunken;
    const auto take = [&](sdk::Frame& frame) {
      shrunken = std::move(frame.json);
      return true;
    };
    const int file = open_append(record.body_file());
    std::string piece(64 * 1024, '\0');
    error_code failed;
    bool bounded = true;
    while (!parser.is_done() && !failed) {
      parser.get().body().data = piece.data();
      parser.get().body().size = piece.size();
      http::read(socket, buffer, parser, failed);
      if (failed == http::error::need_buffer) {
        failed = {};
      }
      std::string bytes = piece.substr(0, piece.size() - parser.get().body().size);
      write_all(file, bytes);
      std::replace(bytes.begin(), bytes.end(), '\n', ' ');  // one document is one frame
      bounded = bounded && lines.feed(bytes, take) == sdk::JsonLines::Status::ok;
    }
    close_file(file);
    if (parser.is_done()) {
      record.event("stdin_eof");
    }
    if (auto last = lines.finish(); bounded && last) {
      shrunken = std::move(last->json);
    }
    Json parsed = Json::parse(shrunken, nullptr, false);
    return parsed.is_discarded() ? Json() : parsed;
  }

  AnswerEnd answer(tcp::socket& socket, const Parser& parser, const Json& frame) {
    const AnswerSink sink{[&](std::string_view bytes) { return write(socket, bytes); },
                          [this](std::int64_t milliseconds) { return wait(milliseconds); }};
    const std::string method(parser.get().method_string());
    const std::string target(parser.get().target());
    const std::string path = target.substr(0, target.find('?'));
    for (const RequestRule& rule : dialect.impl().requests) {
      if (rule.method != method || (rule.path != "*" && rule.path != path)) {
        continue;
      }
      if (!rule.turn) {
        return answer_fixed(rule.status, rule.body.get(), method != "HEAD", parser.keep_alive(), sink);
      }
      Variables variables(dialect.impl(), {}, {});
      return answer_turn(*steps, frame.is_null() ? nullptr : &frame, variables, parser.keep_alive(), sink);
    }
    return answer_fixed(404, Json{{"error", "the dialect has no such request"}}, method != "HEAD", parser.keep_alive(),
                        sink);
  }

  static bool write(tcp::socket& socket, std::string_view bytes) {
    error_code failed;
    boost::asio::write(socket, boost::asio::buffer(bytes.data(), bytes.size()), failed);
    return !failed;
  }

  bool wait(std::int64_t milliseconds) {
    std::unique_lock lock(mutex);
    const auto stopped = [this] { return stopping; };
    if (milliseconds < 0) {
      changed.wait(lock, stopped);
      return false;
    }
    return !changed.wait_for(lock, std::chrono::milliseconds(milliseconds), stopped);
  }

  struct Connection {
    explicit Connection(tcp::socket accepted_socket) : socket(std::move(accepted_socket)) {}
    tcp::socket socket;
    std::thread thread;
  };

  std::filesystem::path records;
  Dialect dialect;
  const Json* steps = nullptr;
  boost::asio::io_context context;
  tcp::acceptor acceptor;
  std::uint16_t bound = 0;
  std::atomic<std::size_t> accepted{0};
  std::atomic<std::size_t> failures{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::list<Connection> connections;
  std::thread accepting;
};

Recorder::Recorder(const std::filesystem::path& directory, const Dialect& dialect, const std::string& scenario,
                   std::uint16_t port)
    : impl_(std::make_unique<Impl>(directory, dialect, scenario, port)) {}
Recorder::~Recorder() = default;

std::uint16_t Recorder::port() const noexcept {
  return impl_->bound;
}
std::string Recorder::base_url() const {
  return "http://127.0.0.1:" + std::to_string(impl_->bound);
}
std::size_t Recorder::connections() const noexcept {
  return impl_->accepted;
}

std::vector<Capture> Recorder::captures() const {
  std::vector<Capture> list;
  for (const auto& folder : record_folders(impl_->records)) {
    list.push_back(read_record(folder, impl_->dialect));
    if (impl_->failures > 0) {
      list.back().faults.emplace_back("the recorder could not write a record");
    }
  }
  return list;
}

}  // namespace attache::conformance
