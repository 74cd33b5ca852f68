// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "wire/dialect_match.hpp"
#include "wire/file_stream.hpp"
#include "wire/records.hpp"

namespace attache::conformance {
namespace {

void read_start(const std::filesystem::path& file, Capture& capture) {
  std::ifstream in(file, std::ios::binary);
  const Json start = Json::parse(in, nullptr, false);
  if (!start.is_object()) {
    capture.faults.emplace_back("the record of the start is missing");
    return;
  }
  capture.argv = start.value("argv", capture.argv);
  capture.environment_names = start.value("environment_names", capture.environment_names);
  capture.working_directory = start.value("working_directory", std::string());
  capture.pid = start.value("pid", std::int64_t{0});
  capture.target = start.value("target", std::string());
  for (const Json& header : start.value("headers", Json::array())) {
    capture.headers.push_back({header.value("name", ""), header.value("value", "")});
  }
}

input::Digest digest_from_hex(const std::string& hex) {
  input::Digest digest{};
  for (std::size_t i = 0; i < digest.size() && i * 2 + 1 < hex.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(std::stoul(hex.substr(i * 2, 2), nullptr, 16));
  }
  return digest;
}

void read_events(const std::filesystem::path& file, Capture& capture) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) {
      continue;  // the last line of a process that was ended while it wrote
    }
    const std::string name = event.value("event", "");
    if (name == "stdin_eof") {
      capture.stdin_closed = true;
    } else if (name == "finished") {
      capture.finished = true;
    } else if (name == "grandchild") {
      capture.grandchildren.push_back(event.value("pid", std::int64_t{0}));
    } else if (name == "fault") {
      capture.faults.push_back(event.value("text", ""));
    } else if (name == "file") {
      ReferencedFile reference;
      reference.path = event.value("path", "");
      reference.found_in = event.value("found_in", "");
      reference.readable = event.value("readable", false);
      reference.size = event.value("size", std::uint64_t{0});
      reference.sha256 = digest_from_hex(event.value("sha256", ""));
      capture.files.push_back(std::move(reference));
    }
  }
}

void read_frame(const sdk::Frame& frame, const Dialect& dialect, Capture& capture) {
  const Json parsed = Json::parse(frame.json, nullptr, false);
  if (!parsed.is_object()) {
    capture.faults.emplace_back(parsed.is_discarded() ? "a frame is not valid JSON" : "a frame is not an object");
    return;
  }
  for (const TurnPlace& place : turns_of(parsed, dialect.impl())) {
    if (place.content == nullptr) {
      capture.faults.emplace_back("a turn has no content where the dialect puts it");
      continue;
    }
    capture.turns.push_back(read_turn_items(*place.content, frame, dialect.impl()));
  }
}

/// A JSON document over several lines is one frame all the same: no line end of it stands inside a string.
std::string joined_lines(std::string_view bytes) {
  std::string out(bytes);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

void read_body(const Dialect& dialect, Capture& capture) {
  sdk::JsonLines::Limits limits;
  limits.string_bytes = 1u << 20u;
  sdk::JsonLines lines(limits);
  const bool http = dialect.transport() == "http";
  const auto take = [&](sdk::Frame& frame) {
    read_frame(frame, dialect, capture);
    return true;
  };
  bool whole = true;
  FileStream in(capture.stdin_file);
  in.read_range(0, FileStream::to_end, [&](std::string_view bytes, std::uint64_t) {
    whole = lines.feed(http ? joined_lines(bytes) : std::string(bytes), take) == sdk::JsonLines::Status::ok;
    return whole;
  });
  if (!whole) {
    capture.faults.emplace_back("a frame is too long");
    return;
  }
  if (auto last = lines.finish()) {
    if (!http) {
      capture.faults.emplace_back("the last frame has no line end");
    }
    read_frame(*last, dialect, capture);
  }
}

}  // namespace

Capture read_record(const std::filesystem::path& folder, const Dialect& dialect) {
  Capture capture;
  capture.stdin_file = folder / "stdin";
  read_start(folder / "start.json", capture);
  read_events(folder / "events.jsonl", capture);
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(capture.stdin_file, missing);
  capture.stdin_bytes = missing ? 0 : size;
  if (capture.stdin_bytes > 0) {
    read_body(dialect, capture);
  }
  return capture;
}

}  // namespace attache::conformance
