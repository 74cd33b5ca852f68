// SPDX-License-Identifier: Apache-2.0
#include "tap/script.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <nlohmann/json.hpp>

#include "tap/process.hpp"
#include "wire/record_file.hpp"

namespace attache::conformance {
namespace {

constexpr int out = 1;
constexpr int err = 2;

std::string line(const Json& frame) {
  return frame.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void Script::run(const Json& steps, const EchoSource* turn) {
  const Json* frame = turn == nullptr ? nullptr : turn->frame;
  for (const Json& one : steps) {
    if (!parts_.variables.holds(one, frame)) {
      continue;
    }
    for (const auto& member : one.items()) {
      if (member.key() != "if") {
        step(member.key(), member.value(), turn);
      }
    }
  }
}

void Script::exit(int code) {
  parts_.record.event("finished", Json{{"exit", code}}.dump());
  std::_Exit(code);  // the reader's thread may be inside a read
}

void Script::put(std::string_view bytes) {
  if (!write_all(out, bytes)) {
    parts_.record.event("stdout_broken");
    exit(1);
  }
}

void Script::step(const std::string& kind, const Json& value, const EchoSource* turn) {
  const Json* frame = turn == nullptr ? nullptr : turn->frame;
  if (kind == "frame") {
    put(line(parts_.variables.fill(value, frame)));
  } else if (kind == "echo") {
    echo(value, turn);
  } else if (kind == "stdout") {
    put(parts_.variables.fill_text(value, frame));
  } else if (kind == "stderr") {
    write_all(err, parts_.variables.fill_text(value, frame));
  } else if (kind == "flood") {
    flood(value);
  } else if (kind == "wait") {
    parts_.input.wait_end();
  } else if (kind == "delay_ms") {
    std::this_thread::sleep_for(std::chrono::milliseconds(value.get<std::int64_t>()));
  } else if (kind == "cut") {
    put(line(parts_.variables.fill(value.at("frame"), frame)).substr(0, value.at("bytes").get<std::size_t>()));
  } else if (kind == "exit") {
    exit(value.get<int>());
  } else if (kind == "signal") {
    parts_.record.event("finished", Json{{"signal", value}}.dump());
    end_by_signal(value);
  } else if (kind == "ignore_signals") {
    for (const Json& word : value) {
      ignore_signal(word);
    }
  } else if (kind == "read") {
    parts_.input.set_reading(value.get<bool>());
  } else if (kind == "close_stdin") {
    parts_.input.close_input();
  } else if (kind == "grandchild") {
    const std::int64_t pid = leave_grandchild(value.value("holds_outputs", false));
    parts_.record.event("grandchild", Json{{"pid", pid}}.dump());
  } else if (kind == "open_files") {
    parts_.open_files();
  } else if (kind == "hang") {
    parts_.record.event("hang");
    wait_forever();
  }
}

void Script::flood(const Json& value) {
  const auto total = value.at("bytes").get<std::uint64_t>();
  const bool lines = value.at("as") == "lines";
  std::string piece(64 * 1024, 'x');
  for (std::size_t at = 1023; lines && at < piece.size(); at += 1024) {
    piece[at] = '\n';
  }
  for (std::uint64_t done = 0; done < total;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), total - done));
    const std::string_view bytes = std::string_view(piece).substr(0, count);
    if (value.at("to") == "stdout") {
      put(bytes);
    } else if (!write_all(err, bytes)) {
      return;
    }
    done += count;
  }
  if (value.at("to") == "stdout") {
    put("\n");
  }
}

void Script::echo(const Json& value, const EchoSource* turn) {
  if (turn == nullptr) {
    return;
  }
  const std::string frame =
      parts_.variables.fill(value.at("frame"), turn->frame).dump(-1, ' ', false, Json::error_handler_t::replace);
  const Json edit = value.contains("edit") ? value.at("edit") : Json();
  const Json each = value.value("each", Json());
  write_echo(frame, edit, each, *turn, parts_.dialect, [this](std::string_view bytes) {
    put(bytes);
    return true;
  });
}

}  // namespace attache::conformance
